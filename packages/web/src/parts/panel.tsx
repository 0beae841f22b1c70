import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Icon } from "../icons/icon.tsx";
import type { IconName } from "../icons/paths.ts";

/** A card with a title. */
export function Panel({
  title,
  icon,
  note,
  actions,
  children,
}: {
  readonly title: string;
  readonly icon?: IconName;
  readonly note?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id}>
      <header>
        {icon === undefined ? null : <Icon name={icon} />}
        <h2 id={id}>{title}</h2>
        {note === undefined ? null : <span class="muted">{note}</span>}
        {actions === undefined ? null : <span class="actions">{actions}</span>}
      </header>
      {children}
    </section>
  );
}

/** A number that matters; with an address it leads to what it counts. */
export function Figure({
  value,
  label,
  tone,
  note,
  href,
}: {
  readonly value: string;
  readonly label: string;
  readonly tone?: "good" | "bad" | "warn" | undefined;
  readonly note?: ComponentChildren;
  readonly href?: string;
}) {
  const content = (
    <>
      <strong>{value}</strong>
      <span>{label}</span>
      {note === undefined ? null : <span class="trend">{note}</span>}
    </>
  );
  const kind = `figure ${tone ?? ""}`;
  return href === undefined ? (
    <div class={kind}>{content}</div>
  ) : (
    <a class={kind} href={href}>
      {content}
    </a>
  );
}
