import type { Snapshot, SnapshotSource } from "#skills";
import type { Principal } from "../auth/principal.ts";
import { EventStream } from "../server/event-stream.ts";
import { type Exchange, full } from "../server/exchange.ts";
import type { PageContext } from "../server/options.ts";

/** Events carry no data, so they need no scope: pages fetch again what they show. */
type FeedEvent = "skills" | "health";

/** The search index is prepared after the list has loaded. */
const PREPARE_SEARCH_MS = 1_000;

/** One per open browser tab, of everyone together. */
const MAX_PAGES = 256;

/** The skills that a page shows. Pages with one view are told of the same changes. */
export interface FeedView extends Pick<SnapshotSource, "onRefresh"> {
  prepareSearch(): void;
}

/** Who has a page open, and what they see. */
interface Viewer {
  readonly subject: string | undefined;
  readonly view: FeedView;
}

/** `/api/v1/events`: tells open pages what to fetch again. */
export function createEventFeed({
  viewFor,
  streams,
  keepAliveMs,
  sessionsPerSubject,
}: Pick<PageContext, "streams" | "keepAliveMs" | "sessionsPerSubject"> & {
  readonly viewFor: (caller: Principal) => FeedView;
}) {
  const pages = new Map<EventStream, Viewer>();
  const stopKeepAlive = setInterval(() => {
    for (const page of pages.keys()) page.keepAlive();
  }, keepAliveMs).unref();
  const followed = new Map<FeedView, { readonly stop: () => void; changes: number }>();
  /** Pages are told of what changed in what they show, and of nothing else. */
  const follow = (view: FeedView): { readonly changes: number } => {
    const known = followed.get(view);
    if (known !== undefined) return known;
    const tell = (event: FeedEvent): void => {
      entry.changes++;
      for (const [page, viewer] of pages)
        if (viewer.view === view) page.write(`event: ${event}\ndata: {}\n\n`);
    };
    const entry = { stop: onVisibleChange(view, tell), changes: 0 };
    followed.set(view, entry);
    return entry;
  };
  return {
    /** How often something has changed for those who see this. */
    changesOf: (view: FeedView): number => follow(view).changes,
    open({ response, principal }: Exchange): void {
      if (pages.size >= MAX_PAGES)
        throw full("Too many open dashboard pages. Close one, or try again later.");
      const { subject } = principal;
      const view = viewFor(principal);
      const own = [...pages.values()].filter((viewer) => viewer.subject === subject).length;
      if (subject !== undefined && own >= sessionsPerSubject)
        throw full(
          `You have reached the limit of ${sessionsPerSubject} open pages. Close one, or try again later.`,
        );
      const page = new EventStream(response, {
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
      // A page that asked before has missed what happened since.
      const { changes } = follow(view);
      page.write(`event: ready\ndata: ${JSON.stringify({ changes })}\n\n`);
      page.release();
      pages.set(page, { subject, view });
      response.once("close", () => pages.delete(page));
      streams.add(response, principal);
      setTimeout(() => view.prepareSearch(), PREPARE_SEARCH_MS).unref();
    },
    close(): void {
      clearInterval(stopKeepAlive);
      for (const { stop } of followed.values()) stop();
      for (const page of pages.keys()) page.end();
    },
  };
}

/** Unlike agents, pages also show bodies and skills that are not served. Returns a function that stops it. */
export function onVisibleChange(
  skills: Pick<SnapshotSource, "onRefresh">,
  listener: (event: FeedEvent) => void,
): () => void {
  return skills.onRefresh(({ snapshot: now, previous: before }) => {
    if (before !== undefined) for (const event of changesOf(now, before)) listener(event);
  });
}

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
