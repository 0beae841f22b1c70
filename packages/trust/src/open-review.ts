import path from "node:path";
import type { ScanResult } from "#skills";
import { readWhenChanged } from "#util";
import { approvalsFile, readApprovals } from "./approved/approvals.ts";
import { openApprovedCopies } from "./approved/approved-copies.ts";
import { createAuditGate } from "./candidate-audit.ts";
import { createReviewer } from "./review-scan.ts";
import { judge, TRUST_LEVELS, type TrustPolicy, type TrustVerdict } from "./rules/policy.ts";
import { withRealPlaces } from "./rules/real-places.ts";
import { keyOf, NO_ORIGINS, readInstalledOrigins, sourceOf } from "./rules/skill-source.ts";
import { createServedVersions } from "./served-version.ts";
import type { TrustDeps } from "./trust.ts";

/** Applies the rules of `trust.yaml` to what a scan found. Loaded once there are rules. */
export function openReview({ options, places, log }: TrustDeps) {
  const copies = openApprovedCopies(places.ownFolder);
  const file = approvalsFile(places.ownFolder);
  const { reading = {}, git } = options;
  const version = createServedVersions({ copies, reading, now: Date.now });
  const review = createReviewer();
  const approvals = readWhenChanged(file, () => readApprovals(file));
  const gate = options.audit && createAuditGate(options.audit.block, options.audit.ignore);
  return async (result: ScanResult, written: readonly TrustPolicy[]): Promise<ScanResult> => {
    const policies = await Promise.all(written.map(withRealPlaces));
    const decidedBy = new WeakMap<TrustVerdict, TrustPolicy>();
    const installed = policies.some(needsOrigins) ? await readInstalledOrigins(places, log) : NO_ORIGINS;
    const reviewed = await review(result, {
      async verdictOf(candidate) {
        const source = sourceOf(candidate, installed);
        const verdict = strictestOf(
          policies.map((policy) => {
            const each = { ...judge(policy, source) };
            decidedBy.set(each, policy);
            return each;
          }),
        );
        const found = verdict.level === "allow" ? await gate?.(keyOf(candidate), candidate) : undefined;
        return found === undefined ? verdict : { level: "review", rule: undefined, found };
      },
      ruleText: (verdict) => ruleText(decidedBy.get(verdict), verdict),
      approvals: approvals(),
      version,
      repoAt: (at) => git?.repoAt(at),
    });
    return { ...reviewed, awaited: [...reviewed.awaited, file] };
  };
}

function needsOrigins({ rules }: TrustPolicy): boolean {
  return rules.some(({ pattern }) => pattern.on === "origin");
}

/** Of what several sets of rules say: the strictest, and of equal ones the first. */
function strictestOf(verdicts: readonly TrustVerdict[]): TrustVerdict {
  const levels = verdicts.map(({ level }) => TRUST_LEVELS.indexOf(level));
  return verdicts[levels.indexOf(Math.max(...levels))] ?? { level: "block", rule: undefined };
}

function ruleText(policy: TrustPolicy | undefined, { rule, found }: TrustVerdict): string {
  if (found !== undefined) return found;
  const { file = "" } = policy ?? {};
  if (rule === undefined) return path.basename(file);
  const line = rule.line === undefined ? "" : `:${rule.line}`;
  return `${rule.text}, ${path.basename(file)}${line}`;
}
