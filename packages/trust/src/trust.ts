import path from "node:path";
import { type ConfigProblem, readConfigFile, refuseProblems } from "#config";
import type {
  OpenViewOptions,
  Places,
  RefreshEvent,
  Scan,
  ScanResult,
  SkillViewOptions,
  Snapshot,
} from "#skills";
import { type Idle, type Log, mayExist, readWhenChanged } from "#util";
import { Refusal } from "#util/pure";
import type { AuditLog } from "./audit-log.ts";
import type { ReviewTools } from "./review-tools.ts";
import type { TrustPolicy } from "./rules/policy.ts";

// Everything that a server loads of this part, with the audit log. Most people have no rules: the rest is loaded on demand.

function policyFile(ownFolder: string): string {
  return path.join(ownFolder, "trust.yaml");
}

export function hasPolicy(ownFolder: string): boolean {
  return mayExist(policyFile(ownFolder));
}

/** The rules of the user; undefined when there are none. A file with a mistake is refused, because its meaning is unknown. */
async function readPolicy(ownFolder: string): Promise<TrustPolicy | undefined> {
  const file = policyFile(ownFolder);
  const reading = await readConfigFile(file, { followLinks: true });
  if (reading === undefined) return undefined;
  if (!reading.ok) refuseProblems([{ place: file, message: reading.message }]);
  const { parsePolicy } = await import("./rules/parse-policy.ts");
  const parsed = parsePolicy(reading.ok ? reading.text : "", file, path.dirname(ownFolder));
  if (parsed.ok) return parsed.policy;
  refuseProblems(parsed.problems);
  return undefined;
}

/** What is wrong with the rules and the approvals. Nothing may be served with it: nobody knows what they withhold. */
export async function policyProblems(
  ownFolder: string,
  audit?: SkillViewOptions["audit"],
): Promise<readonly ConfigProblem[]> {
  if (!hasPolicy(ownFolder) && audit === undefined) return [];
  try {
    await readPolicy(ownFolder);
    const { approvalsFile, readApprovals } = await import("./approved/approvals.ts");
    readApprovals(approvalsFile(ownFolder));
    return [];
  } catch (error) {
    if (!(error instanceof Refusal) || error.detail.code !== "bad-config") throw error;
    return error.detail.problems.map((problem) => ({ ...problem, withholds: ["skills"] }));
  }
}

/** The files that `policyProblems` reads. They need not exist. */
export function policyFiles(ownFolder: string): readonly string[] {
  return [policyFile(ownFolder), path.join(ownFolder, "approvals.json")];
}

/** Returns the current rules. While the file is wrong, a running server uses the last rules that were right. */
function createPolicyReader(ownFolder: string, log: Log): () => Promise<TrustPolicy | undefined> {
  const current = readWhenChanged(policyFile(ownFolder), () => readPolicy(ownFolder));
  let good: TrustPolicy | undefined;
  let lastLogged = "";
  return async () => {
    try {
      good = await current();
      lastLogged = "";
    } catch (error) {
      if (good === undefined || !(error instanceof Refusal)) throw error;
      if (lastLogged !== error.message) {
        for (const line of error.message.split("\n"))
          log.error(`new rules rejected, keeping the old ones: ${line}`);
      }
      lastLogged = error.message;
    }
    return good;
  };
}

/** What decides what may be served as it is. */
export interface TrustDeps {
  readonly options: Pick<SkillViewOptions, "reading" | "audit"> & {
    readonly git?: Pick<NonNullable<OpenViewOptions["git"]>, "repoAt"> | undefined;
  };
  readonly places: Places;
  readonly log: Log;
}

/** A scan whose result has only what the user's rules allow. Without rules it is what was found. */
export function createTrustedScan(scan: Scan, deps: TrustDeps): Scan {
  const { ownFolder } = deps.places;
  const currentPolicy = createPolicyReader(ownFolder, deps.log);
  const awaited = policyFile(ownFolder);
  let review: ((result: ScanResult, policy: TrustPolicy) => Promise<ScanResult>) | undefined;
  return async (request) => {
    // Before the scan: a rule that is written meanwhile counts for the next one, which the watcher requests.
    const policy = await currentPolicy();
    const result = await scan(request);
    const watched = { ...result, awaited: [...result.awaited, awaited] };
    const isFree = policy === undefined || policy.rules.every(({ level }) => level === "allow");
    if (isFree && deps.options.audit === undefined) return watched;
    review ??= (await import("./open-review.ts")).openReview(deps);
    return review(watched, policy ?? { file: awaited, rules: [] });
  };
}

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
    const { ownFolder, home } = places;
    return createReviewTools({ snapshot, refresh, ownFolder, ignore: await ignoredRules(home), auditLog });
  };
  const review = (): Promise<ReviewTools> => (tools ??= open());

  let lastLogged: string | undefined;
  const logWaiting = async (): Promise<void> => {
    const notice = await (await review()).waitingNotice();
    if (notice !== undefined && notice !== lastLogged) log.warn(notice);
    lastLogged = notice;
  };
  onRefresh?.((event) => {
    if (event.snapshot.reviewed === undefined) return;
    idle.whenIdle(() => {
      logWaiting().catch((error: unknown) =>
        log.error(`skills under review cannot be compared: ${String(error)}`),
      );
    });
  });
  return review;
}
