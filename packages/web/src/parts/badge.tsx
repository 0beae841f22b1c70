import type { ComponentChildren } from "preact";
import { Icon } from "../icons/icon.tsx";

type Tone = "good" | "warn" | "bad" | "accent";

export function Badge({ tone, children }: { readonly tone?: Tone; readonly children: ComponentChildren }) {
  return <span class={tone === undefined ? "badge" : `badge ${tone}`}>{children}</span>;
}

/** A choice that is on or off, such as a filter; one that is on shows how to take it away. */
export function Chip({
  isOn,
  onClick,
  children,
}: {
  readonly isOn: boolean;
  readonly onClick: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <button type="button" class="chip" aria-pressed={isOn} onClick={onClick}>
      {children}
      {isOn ? <Icon name="cross" size={12} /> : null}
    </button>
  );
}
