import { userInfo } from "node:os";
import type { Snapshot } from "#skills";
import {
  applyApprovals,
  applyRejections,
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

/** A skill with the digest of what a person looked at: nothing else is decided about. */
interface SeenSkill {
  readonly name: string;
  readonly digest: string;
}

export type ReviewTools = ReturnType<typeof createReviewTools>;

/** What people do with skills that are served only once they are approved. */
export function createReviewTools({ snapshot, refresh, ownFolder, ignore, auditLog }: ReviewDeps) {
  const reviews = createReviewList(ownFolder, ignore);
  type Action = "approve" | "revert" | "reject" | "reopen";
  const record = (action: Action, caller: string, skill: string, digest: string): void =>
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
  async function rejectAs(
    plan: readonly PlannedApproval[],
    by: string,
    isRejected: boolean,
  ): Promise<Snapshot> {
    await applyRejections(plan, ownFolder, isRejected);
    for (const { reviewed, now } of plan)
      record(isRejected ? "reject" : "reopen", by, reviewed.name, now.digest);
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
    /** Approves exactly the content whose digests were shown: all of it or none. */
    async approveSeen(seen: readonly SeenSkill[], by: string): Promise<readonly ReviewItem[]> {
      const plan = await planSeen(seen);
      return itemsAfter(await approveAs(plan, by), plan);
    },
    /** What is served stays, and what was planned is not asked about again until it changes. */
    async reject(plan: readonly PlannedApproval[], by: string = userName()): Promise<void> {
      await rejectAs(plan, by, true);
    },
    /** Rejects exactly the content whose digests were shown. */
    async rejectSeen(seen: readonly SeenSkill[], by: string): Promise<readonly ReviewItem[]> {
      const plan = await planSeen(seen);
      return itemsAfter(await rejectAs(plan, by, true), plan);
    },
    /** Takes back that content was rejected. */
    async reopenSeen(seen: readonly SeenSkill[], by: string): Promise<readonly ReviewItem[]> {
      const plan = await planSeen(seen);
      return itemsAfter(await rejectAs(plan, by, false), plan);
    },
    planRevert: async (names: readonly string[]) =>
      planReverts(await snapshot(), names, readApprovals(approvalsFile(ownFolder))),
    /** Serves the versions before those that are served now. */
    async revert(plan: readonly PlannedRevert[], by: string = userName()): Promise<void> {
      await revertAs(plan, by);
    },
    /** Takes back the last approval of each, if the versions that were shown are the served ones. */
    async revertSeen(seen: readonly SeenSkill[], by: string): Promise<readonly ReviewItem[]> {
      const names = seen.map(({ name }) => name);
      const plan = planReverts(await snapshot(), names, readApprovals(approvalsFile(ownFolder)));
      for (const [index, { name, from }] of plan.entries())
        if (`sha256:${from.digest}` !== seen[index]?.digest)
          throw cannotApprove(name, "was approved or rolled back meanwhile. Nothing was changed");
      return itemsAfter(await revertAs(plan, by), plan);
    },
  };

  async function planSeen(seen: readonly SeenSkill[]): Promise<readonly PlannedApproval[]> {
    const names = seen.map(({ name }) => name);
    const plan = await planApprovals(await snapshot(), names, reviews);
    for (const [index, { reviewed, now }] of plan.entries())
      if (`sha256:${now.digest}` !== seen[index]?.digest)
        throw cannotApprove(
          reviewed.name,
          "has changed since it was shown. Nothing was decided; look at it again",
        );
    return plan;
  }

  async function itemsAfter(
    after: Snapshot,
    plan: readonly Pick<PlannedApproval, "reviewed">[],
  ): Promise<readonly ReviewItem[]> {
    const keys = new Set(plan.map(({ reviewed }) => reviewed.key));
    const reviewed = (after.reviewed ?? []).filter(({ key }) => keys.has(key));
    return reviews.list({ ...after, reviewed }, true);
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
