import type { ComponentChildren } from "preact";
import type { ApiError } from "../api/client.ts";
import type { Resource } from "../state/use-resource.ts";

/** An empty state: the reason, and what to do next. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

export function Failure({ error, onRetry }: { readonly error: ApiError; readonly onRetry?: () => void }) {
  return (
    <div class="failure" role="alert">
      <p>{error.message}</p>
      {onRetry === undefined ? null : (
        <button type="button" onClick={onRetry}>
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

export function Loading({ what }: { readonly what: string }) {
  return (
    <p class="loading" role="status">
      Loading {what} …
    </p>
  );
}
