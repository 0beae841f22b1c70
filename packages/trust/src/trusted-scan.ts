import type { Places, Scan, ScanResult, ServedRepos, SkillViewOptions } from "#skills";
import type { Log } from "#util";
import { policyFile } from "./rules/has-policy.ts";
import type { TrustPolicy } from "./rules/policy.ts";
import { createPolicyReader } from "./rules/policy-file.ts";

/** What decides what may be served as it is. */
export interface TrustDeps {
  readonly options: Pick<SkillViewOptions, "reading" | "audit"> & {
    readonly git?: Pick<ServedRepos, "repoAt"> | undefined;
  };
  readonly places: Places;
  readonly log: Log;
}

/** A scan whose result has only what the user's rules allow. Without rules it is what was found, and nothing is loaded. */
export function createTrustedScan(scan: Scan, deps: TrustDeps): Scan {
  const { ownFolder } = deps.places;
  const readPolicy = createPolicyReader(ownFolder, deps.log);
  const awaited = policyFile(ownFolder);
  let review: ((result: ScanResult, policy: TrustPolicy) => Promise<ScanResult>) | undefined;
  return async (request) => {
    // Before the scan: a rule that is written meanwhile counts for the next one, which the watcher requests.
    const policy = await readPolicy();
    const result = await scan(request);
    const watched = { ...result, awaited: [...result.awaited, awaited] };
    const isFree = policy === undefined || policy.rules.every(({ level }) => level === "allow");
    if (isFree && deps.options.audit === undefined) return watched;
    review ??= (await import("./open-review.ts")).openReview(deps);
    return review(watched, policy ?? { file: awaited, rules: [] });
  };
}
