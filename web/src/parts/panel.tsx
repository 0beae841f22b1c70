import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

export function Panel({
  title,
  note,
  actions,
  children,
}: {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {note === undefined ? null : <span class="muted">{note}</span>}
        {actions === undefined ? null : <span class="actions">{actions}</span>}
      </header>
      {children}
    </section>
  );
}

export function Figure({
  value,
  label,
  tone,
}: {
  readonly value: string;
  readonly label: string;
  readonly tone?: "good" | "bad" | "warn" | undefined;
}) {
  return (
    <div class={`figure ${tone ?? ""}`}>
      <strong>{value}</strong>
      <span>{label}</span>
    </div>
  );
}
