import type { ComponentChildren } from "preact";

/** The title of a view, a sentence about it, and its actions. */
export function PageHeader({
  title,
  children,
  actions,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
  readonly actions?: ComponentChildren;
}) {
  return (
    <div class="page-header">
      <div>
        <h1>{title}</h1>
        {children === undefined ? null : <p class="muted">{children}</p>}
      </div>
      {actions === undefined ? null : <div class="actions">{actions}</div>}
    </div>
  );
}
