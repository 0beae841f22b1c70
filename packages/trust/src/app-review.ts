import type { Places, RefreshEvent, Snapshot } from "#skills";
import type { Idle, Log } from "#util";
import type { AuditLog } from "./audit-log.ts";
import type { ReviewTools } from "./review-tools.ts";

interface AppReviewDeps {
  readonly snapshot: () => Promise<Snapshot>;
  readonly refresh: () => Promise<Snapshot>;
  readonly places: Places;
  /** Given by a server, which logs what waits for approval. */
  readonly onRefresh?: ((listener: (event: RefreshEvent) => void) => unknown) | undefined;
  readonly idle: Idle;
  readonly auditLog: AuditLog;
  readonly log: Log;
}

/** The review of skills, loaded when it is first needed. */
export function createAppReview(deps: AppReviewDeps): () => Promise<ReviewTools> {
  const { snapshot, refresh, places, onRefresh, idle, auditLog, log } = deps;
  let tools: Promise<ReviewTools> | undefined;
  const open = async (): Promise<ReviewTools> => {
    const { createReviewTools } = await import("./review-tools.ts");
    const { ignoredRules } = await import("#check");
    return createReviewTools({
      snapshot,
      refresh,
      ownFolder: places.ownFolder,
      ignore: await ignoredRules(places.home),
      auditLog,
    });
  };
  const review = (): Promise<ReviewTools> => {
    tools ??= open();
    return tools;
  };

  let lastLogged: string | undefined;
  const tell = async (): Promise<void> => {
    const { waitingNotice } = await import("./waiting-notice.ts");
    const notice = waitingNotice(await (await review()).list());
    if (notice !== undefined && notice !== lastLogged) log.warn(notice);
    lastLogged = notice;
  };
  onRefresh?.((event) => {
    if (event.snapshot.reviewed === undefined) return;
    idle.whenIdle(() => {
      tell().catch((error: unknown) => log.error(`skills under review cannot be compared: ${String(error)}`));
    });
  });
  return review;
}
