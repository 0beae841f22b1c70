import type { App } from "../../app/create-app.ts";
import type { Snapshot } from "../../registry/registry.ts";
import { EventStream } from "../server/event-stream.ts";
import { type Exchange, full } from "../server/exchange.ts";
import type { PageContext } from "../server/options.ts";

/** Events carry no data, so they need no scope: pages fetch again what they show. */
type FeedEvent = "skills" | "health";

/** The search index is prepared after the list has loaded. */
const PREPARE_SEARCH_MS = 1_000;

/** One per open browser tab. */
const MAX_PAGES = 256;

/** `/api/v1/events`: tells open pages what to fetch again. */
export function createEventFeed(
  app: App,
  { streams, keepAliveMs }: Pick<PageContext, "streams" | "keepAliveMs">,
) {
  const pages = new Set<EventStream>();
  const stopKeepAlive = setInterval(() => {
    for (const page of pages) page.keepAlive();
  }, keepAliveMs).unref();
  const stopRefresh = onVisibleChange(app, (event) => {
    for (const page of pages) page.write(`event: ${event}\ndata: {}\n\n`);
  });
  return {
    open({ response, principal }: Exchange): void {
      if (pages.size >= MAX_PAGES)
        throw full("Too many open dashboard pages. Close one, or try again later.");
      const page = new EventStream(response, {
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
      });
      page.write("event: ready\ndata: {}\n\n");
      page.release();
      pages.add(page);
      response.once("close", () => pages.delete(page));
      streams.add(response, principal);
      setTimeout(() => app.prepareSearch(), PREPARE_SEARCH_MS).unref();
    },
    close(): void {
      clearInterval(stopKeepAlive);
      stopRefresh();
      for (const page of pages) page.end();
    },
  };
}

/** Unlike agents, pages also show bodies and skills that are not served. Returns a function that stops it. */
export function onVisibleChange(app: App, listener: (event: FeedEvent) => void): () => void {
  return app.onRefresh(({ snapshot: now, previous: before }) => {
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
