import type { ComponentChildren } from "preact";
import type { ApiError } from "../api/client.ts";
import { Icon } from "../icons/icon.tsx";
import type { IconName } from "../icons/paths.ts";
import type { Resource } from "../state/use-resource.ts";

/** An empty state: the reason, and what to do next. */
export function Empty({
  title,
  icon,
  children,
}: {
  readonly title: string;
  readonly icon?: IconName;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      {icon === undefined ? null : (
        <span class="badge-icon">
          <Icon name={icon} size={18} />
        </span>
      )}
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Why something cannot be shown, and a way to try again. A server that is gone is asked again by the page itself. */
export function Failure({ error, onRetry }: { readonly error: ApiError; readonly onRetry?: () => void }) {
  const isOffline = error.code === "offline";
  return (
    <div class="failure" role="alert">
      <span class="badge-icon">
        <Icon name={isOffline ? "offline" : "alert"} size={18} />
      </span>
      <p class="problem">{error.message}</p>
      {isOffline ? (
        <p class="muted">This page tries again by itself and continues as soon as the server answers.</p>
      ) : null}
      {onRetry === undefined ? null : (
        <button type="button" onClick={onRetry}>
          <Icon name="refresh" size={14} />
          Try again
        </button>
      )}
    </div>
  );
}

/** Renders a resource once it has a value; until then that it is loading, or why it failed. */
export function ResourceView<T>({
  resource,
  what,
  children,
}: {
  readonly resource: Resource<T>;
  readonly what: string;
  readonly children: (value: T) => ComponentChildren;
}) {
  const { value, error, reload } = resource;
  if (value !== undefined) return <>{children(value)}</>;
  return error === undefined ? <Loading what={what} /> : <Failure error={error} onRetry={reload} />;
}

const WIDTHS = ["62%", "88%", "74%", "80%"] as const;

/** Grey bars where the content will be. They appear only if it takes a moment. */
export function Loading({ what }: { readonly what: string }) {
  return (
    <div class="skeleton" role="status">
      <span class="visually-hidden">Loading {what} …</span>
      {WIDTHS.map((width) => (
        <i key={width} style={{ width }} />
      ))}
      <i class="block" />
    </div>
  );
}
