import type { ReviewedSkill, Snapshot } from "#skills";
import { defined, nameKey, Refusal, suggestNames } from "#util/pure";
import {
  type Approval,
  type Approvals,
  approvalsFile,
  changeApprovals,
  withApproval,
  withoutLatest,
  withRejected,
} from "./approved/approvals.ts";
import { openApprovedCopies } from "./approved/approved-copies.ts";
import type { CandidateContent } from "./candidate.ts";
import type { ReviewDetail, ReviewList } from "./review-list.ts";
import { namesOf } from "./review-scan.ts";

/** A skill that is about to be approved: what is shown is what is stored. */
export interface PlannedApproval {
  readonly reviewed: ReviewedSkill;
  readonly detail: ReviewDetail;
  readonly now: CandidateContent;
}

/** What taking back the last approval of a skill leads to. */
export interface PlannedRevert {
  readonly reviewed: ReviewedSkill;
  readonly name: string;
  readonly from: Approval;
  /** Undefined: nothing was approved before, so that nothing is served. */
  readonly to: Approval | undefined;
}

/** The reviewed skills that names mean; all of them without names. */
export function reviewedNamed(
  { reviewed = [] }: Snapshot,
  names: readonly string[] | "all",
): readonly ReviewedSkill[] {
  if (names === "all") return reviewed;
  return names.map((name) => {
    const key = nameKey(name.trim());
    const exact = reviewed.find((one) => nameKey(one.name) === key || one.key === name);
    const found =
      exact === undefined
        ? reviewed.filter((one) => namesOf(one).some((each) => nameKey(each) === key))
        : [exact];
    const [first, second] = found;
    if (first === undefined) throw notReviewed(name, reviewed);
    if (second === undefined) return first;
    const candidates = found.map((one) => one.name);
    throw new Refusal(`'${name}' may mean: ${candidates.join(", ")}. Use one of these names.`, {
      code: "ambiguous-skill",
      name,
      candidates,
    });
  });
}

function notReviewed(name: string, reviewed: readonly ReviewedSkill[]): Refusal {
  const meant = suggestNames(
    name,
    reviewed.map((one) => one.name),
    3,
  );
  const way =
    reviewed.length === 0
      ? "No skill is: the rules in ~/.skills-mcp/trust.yaml decide."
      : meant.length > 0
        ? `Did you mean: ${meant.join(", ")}?`
        : "skills-mcp approve lists those that are.";
  return new Refusal(`'${name}' is not under review. ${way}`, { code: "cannot-approve", name });
}

/** The refusal of a decision; `why` is the rest of a sentence about the skill, without its full stop. */
export function cannotApprove(name: string, why: string): Refusal {
  return new Refusal(`'${name}' ${why}.`, { code: "cannot-approve", name });
}

/** Reads what would be approved. A blocked skill is refused where it is named, and skipped for `all`. */
export async function planApprovals(
  snapshot: Snapshot,
  names: readonly string[] | "all",
  reviews: ReviewList,
): Promise<readonly PlannedApproval[]> {
  const plan: PlannedApproval[] = [];
  for (const reviewed of reviewedNamed(snapshot, names)) {
    if (reviewed.level === "block") {
      if (names === "all") continue;
      const why = `is blocked by the rule ${reviewed.rule}. Move the rule to 'review' or 'allow' to serve it`;
      throw cannotApprove(reviewed.name, why);
    }
    if (reviewed.candidate.kind === "skill" && reviewed.candidate.broken !== undefined) {
      if (names === "all") continue;
      throw new Refusal(`'${reviewed.name}': ${reviewed.problem ?? reviewed.candidate.broken}`, {
        code: "cannot-approve",
        name: reviewed.name,
      });
    }
    const { detail, now } = await reviews.detail(reviewed);
    if (names === "all" && (detail.state === "approved" || detail.state === "rejected")) continue;
    plan.push({ reviewed, detail, now });
  }
  return plan;
}

/** Approves what was planned, whatever the source holds by now. */
export async function applyApprovals(
  plan: readonly PlannedApproval[],
  { ownFolder, by, now }: { readonly ownFolder: string; readonly by: string; readonly now: Date },
): Promise<void> {
  const copies = openApprovedCopies(ownFolder);
  const approve = (before: Approvals): Approvals => {
    const after = new Map(before);
    for (const { reviewed, now: content } of plan) {
      // Before the file names it: a server that reads the file must find it.
      copies.store(content.content);
      const approval = approvalOf(reviewed, content.digest, by, now);
      after.set(reviewed.key, withApproval(before.get(reviewed.key), reviewed.name, approval));
    }
    return after;
  };
  // A version that was rolled back stays until the next approval.
  await changeApprovals(approvalsFile(ownFolder), approve, (after) => {
    const wanted = [...after].flatMap(([key, { versions }]) =>
      versions.map(({ digest }) => ({ key, digest })),
    );
    return copies.prune(wanted).catch(() => {});
  });
}

function approvalOf({ candidate }: ReviewedSkill, digest: string, by: string, now: Date): Approval {
  const repo = candidate.kind === "skill" ? candidate.skill.repo : candidate.repo;
  const plugin = candidate.kind === "skill" ? candidate.skill.plugin : undefined;
  return {
    digest,
    at: now.toISOString(),
    by,
    ...defined({ commit: repo?.commit, plugin }),
  };
}

/** What a roll-back of skills leads to. */
export function planReverts(
  snapshot: Snapshot,
  names: readonly string[],
  approvals: Approvals,
): readonly PlannedRevert[] {
  return reviewedNamed(snapshot, names).map((reviewed) => {
    const [from, to] = approvals.get(reviewed.key)?.versions ?? [];
    if (from === undefined)
      throw cannotApprove(reviewed.name, "has no approved version, so there is nothing to roll back");
    return { reviewed, name: reviewed.name, from, to };
  });
}

/** Takes back the last approval of each, unless its approvals changed since it was planned. */
export async function applyReverts(plan: readonly PlannedRevert[], ownFolder: string): Promise<void> {
  await changeApprovals(approvalsFile(ownFolder), (before) => {
    const after = new Map(before);
    for (const { reviewed, from } of plan) {
      const skill = before.get(reviewed.key);
      if (skill?.versions[0]?.digest !== from.digest)
        throw cannotApprove(reviewed.name, "was approved or rolled back meanwhile. Nothing was changed");
      const rest = withoutLatest(skill);
      if (rest === undefined) after.delete(reviewed.key);
      else after.set(reviewed.key, rest);
    }
    return after;
  });
}

/** Notes that what was planned is not to be served, or takes that back. What is served stays. */
export async function applyRejections(
  plan: readonly PlannedApproval[],
  ownFolder: string,
  isRejected: boolean,
): Promise<void> {
  await changeApprovals(approvalsFile(ownFolder), (before) => {
    const after = new Map(before);
    for (const { reviewed, now } of plan) {
      const known = before.get(reviewed.key);
      if (known?.versions[0]?.digest === now.digest)
        throw cannotApprove(reviewed.name, "is approved as it is, so there is nothing to reject");
      const skill = withRejected(known, reviewed.name, isRejected ? now.digest : undefined);
      if (skill === undefined) after.delete(reviewed.key);
      else after.set(reviewed.key, skill);
    }
    return after;
  });
}
