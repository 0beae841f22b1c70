import { userInfo } from "node:os";
import type { Snapshot } from "#skills";
import {
  applyApprovals,
  applyReverts,
  cannotApprove,
  type PlannedApproval,
  type PlannedRevert,
  planApprovals,
  planReverts,
  reviewedNamed,
} from "./approve-skills.ts";
import { approvalsFile, readApprovals } from "./approved/approvals.ts";
import type { AuditLog } from "./audit-log.ts";
import { createReviewList, type ReviewDetail, type ReviewItem } from "./review-list.ts";

interface ReviewDeps {
  readonly snapshot: () => Promise<Snapshot>;
  readonly refresh: () => Promise<Snapshot>;
  /** `~/.skills-mcp`. */
  readonly ownFolder: string;
  /** Findings that the operator says are fine. */
  readonly ignore: readonly string[];
  readonly auditLog: Pick<AuditLog, "record">;
}

export type ReviewTools = ReturnType<typeof createReviewTools>;

/** What people do with skills that are served only once they are approved. */
export function createReviewTools({ snapshot, refresh, ownFolder, ignore, auditLog }: ReviewDeps) {
  const reviews = createReviewList(ownFolder, ignore);
  const record = (action: "approve" | "revert", caller: string, skill: string, digest: string): void =>
    auditLog.record({ action, caller, skill, digest: `sha256:${digest}`, result: "ok" });
  async function approveAs(plan: readonly PlannedApproval[], by: string): Promise<Snapshot> {
    await applyApprovals(plan, { ownFolder, by, now: new Date() });
    for (const { reviewed, now } of plan) record("approve", by, reviewed.name, now.digest);
    return refresh();
  }
  async function revertAs(plan: readonly PlannedRevert[], by: string): Promise<Snapshot> {
    await applyReverts(plan, ownFolder);
    for (const { name, from } of plan) record("revert", by, name, from.digest);
    return refresh();
  }
  return {
    /** Those that wait for a decision or are blocked; with `all`, also those that are served as they are. */
    list: async (all = false): Promise<readonly ReviewItem[]> => reviews.list(await snapshot(), all),
    /** One line about skills that wait for a decision; undefined when none does. */
    waitingNotice: async () => noticeOf(await reviews.list(await snapshot())),
    async detail(name: string): Promise<ReviewDetail> {
      const [reviewed] = reviewedNamed(await snapshot(), [name]);
      if (reviewed === undefined) throw cannotApprove(name, "is not under review");
      return (await reviews.detail(reviewed)).detail;
    },
    plan: async (names: readonly string[] | "all") => planApprovals(await snapshot(), names, reviews),
    /** Serves what was planned from now on. */
    async approve(plan: readonly PlannedApproval[], by: string = userName()): Promise<void> {
      await approveAs(plan, by);
    },
    /** Approves exactly the content whose digest was shown. */
    async approveSeen(name: string, digest: string, by: string): Promise<ReviewItem> {
      const [planned] = await planApprovals(await snapshot(), [name], reviews);
      if (planned === undefined || `sha256:${planned.now.digest}` !== digest)
        throw cannotApprove(name, "has changed since it was shown. Nothing was approved; look at it again");
      return itemAfter(await approveAs([planned], by), planned.reviewed.key);
    },
    planRevert: async (names: readonly string[]) =>
      planReverts(await snapshot(), names, readApprovals(approvalsFile(ownFolder))),
    /** Serves the versions before those that are served now. */
    async revert(plan: readonly PlannedRevert[], by: string = userName()): Promise<void> {
      await revertAs(plan, by);
    },
    /** Takes back the last approval of one skill, if the version that was shown is the served one. */
    async revertSeen(name: string, digest: string, by: string): Promise<ReviewItem> {
      const plan = planReverts(await snapshot(), [name], readApprovals(approvalsFile(ownFolder)));
      const [planned] = plan;
      if (planned === undefined || `sha256:${planned.from.digest}` !== digest)
        throw cannotApprove(name, "was approved or rolled back meanwhile. Nothing was changed");
      return itemAfter(await revertAs(plan, by), planned.reviewed.key);
    },
  };

  async function itemAfter(after: Snapshot, key: string): Promise<ReviewItem> {
    const reviewed = (after.reviewed ?? []).filter((one) => one.key === key);
    const [item] = await reviews.list({ ...after, reviewed }, true);
    if (item === undefined) throw new Error(`The skill ${key} is no longer reviewed.`);
    return item;
  }
}

const MOST_NAMED = 5;

function noticeOf(items: readonly ReviewItem[]): string | undefined {
  const waiting = items.filter(({ state }) => state === "new" || state === "changed").map(({ name }) => name);
  if (waiting.length === 0) return undefined;
  const more = waiting.length - MOST_NAMED;
  const names = waiting.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
  const verb = waiting.length === 1 ? "skill waits" : "skills wait";
  return `${waiting.length} ${verb} for approval (${names}); skills-mcp approve shows what changed`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user may have no name.
    return "unknown";
  }
}
