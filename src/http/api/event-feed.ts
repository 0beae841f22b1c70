import type { App } from "../../app/create-app.ts";
import type { Snapshot } from "../../registry/registry.ts";

/** What open pages are told. They fetch what they show again; nothing travels with it that needs a scope. */
type FeedEvent = "skills" | "health";

/** Tells everyone who listens that something changed. */
export interface EventFeed {
  /** Returns how to stop. */
  subscribe(listener: (event: FeedEvent) => void): () => void;
  close(): void;
}

export function createEventFeed(app: App): EventFeed {
  const listeners = new Set<(event: FeedEvent) => void>();
  const stop = app.onRefresh(({ snapshot: now, previous: before }) => {
    if (before === undefined || listeners.size === 0) return;
    for (const event of changesOf(now, before)) for (const listener of listeners) listener(event);
  });
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      stop();
      listeners.clear();
    },
  };
}

/** Unlike what agents are told, the body of a skill counts too, and so does what is not served. */
function changesOf(now: Snapshot, before: Snapshot): readonly FeedEvent[] {
  const diagnosed = JSON.stringify(now.diagnostics) !== JSON.stringify(before.diagnostics);
  const changed =
    diagnosed ||
    now.catalog !== before.catalog ||
    now.disabled !== before.disabled ||
    now.library !== before.library ||
    !sameEntries(now.fingerprints, before.fingerprints) ||
    !sameEntries(now.libraryFingerprints, before.libraryFingerprints);
  return [...(changed ? (["skills"] as const) : []), ...(diagnosed ? (["health"] as const) : [])];
}

function sameEntries<K>(a: ReadonlyMap<K, string>, b: ReadonlyMap<K, string>): boolean {
  if (a === b) return true;
  if (a.size !== b.size) return false;
  for (const [key, value] of a) if (b.get(key) !== value) return false;
  return true;
}
