import path from "node:path";
import {
  type ConfigProblem,
  MACHINE_POLICY,
  type MachinePolicy,
  readConfigFile,
  readMachinePolicy,
  refuseProblems,
  stricterOf,
} from "#config";
import type {
  OpenViewOptions,
  Places,
  RefreshEvent,
  Scan,
  ScanResult,
  SkillViewOptions,
  Snapshot,
} from "#skills";
import { createProfileStep, filterOf, SEVERITIES } from "#skills";
import { type Idle, type Log, mayExist, readWhenChanged } from "#util";
import { memoizeWeak, Refusal } from "#util/pure";
import type { AuditLog } from "./audit-log.ts";
import type { ReviewTools } from "./review-tools.ts";
import type { TrustPolicy } from "./rules/policy.ts";

// Everything that a server loads of this part, with the audit log. Most people have no rules: the rest is loaded on demand.

function policyFile(ownFolder: string): string {
  return path.join(ownFolder, "trust.yaml");
}

export function hasPolicy(ownFolder: string): boolean {
  return mayExist(policyFile(ownFolder)) || mayExist(MACHINE_POLICY);
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

/** What the administrator of this machine limits; nothing on most machines. */
async function readLimits(): Promise<MachineLimits> {
  const { policy, problems } = await readMachinePolicy();
  refuseProblems(problems);
  if (policy?.trust === undefined) return { policy, rules: [] };
  const { parsePolicy } = await import("./rules/parse-policy.ts");
  // There `~` would be another folder for each user.
  const parsed = parsePolicy(policy.trust, policy.file, path.dirname(policy.file));
  if (!parsed.ok) refuseProblems(parsed.problems);
  if (!parsed.ok) return { policy, rules: [] };
  // Their lines are those of the JSON, not of the file.
  const rules = parsed.policy.rules.map((rule) => ({ ...rule, line: undefined }));
  return { policy, rules: [{ ...parsed.policy, rules }] };
}

interface MachineLimits {
  readonly policy: MachinePolicy | undefined;
  readonly rules: readonly TrustPolicy[];
}

/** What is wrong with the rules and the approvals. Nothing may be served with it: nobody knows what they withhold. */
export async function policyProblems(
  ownFolder: string,
  audit?: SkillViewOptions["audit"],
): Promise<readonly ConfigProblem[]> {
  if (!hasPolicy(ownFolder) && audit === undefined) return [];
  try {
    await readLimits();
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
  return [policyFile(ownFolder), path.join(ownFolder, "approvals.json"), MACHINE_POLICY];
}

/** Returns what a file says now. While the file is wrong, a running server uses what it said when it was right. */
function createReader<T>(file: string, read: () => Promise<T>, log: Log): () => Promise<T> {
  const current = readWhenChanged(file, read);
  let good: { readonly value: T } | undefined;
  let lastLogged = "";
  return async () => {
    try {
      good = { value: await current() };
      lastLogged = "";
    } catch (error) {
      if (good === undefined || !(error instanceof Refusal)) throw error;
      if (lastLogged !== error.message) {
        for (const line of error.message.split("\n"))
          log.error(`new rules rejected, keeping the old ones: ${line}`);
      }
      lastLogged = error.message;
    }
    return good.value;
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

/** A scan whose result has only what the rules of the user and of the machine allow. Without rules it is what was found. */
export function createTrustedScan(scan: Scan, deps: TrustDeps): Scan {
  const { ownFolder } = deps.places;
  const ownFile = policyFile(ownFolder);
  const ownRules = createReader(ownFile, () => readPolicy(ownFolder), deps.log);
  const machine = createReader(MACHINE_POLICY, readLimits, deps.log);
  const reviewFor = memoizeWeak(async (limits: MachineLimits) => {
    const { openReview } = await import("./open-review.ts");
    const { reading = {}, git } = deps.options;
    const audit = auditWithin(limits, deps.options.audit);
    return openReview({ ...deps, options: { reading, git, ...(audit === undefined ? {} : { audit }) } });
  });
  const leaveOut = memoizeWeak(({ policy }: MachineLimits) =>
    policy?.profile === undefined ? undefined : createProfileStep(filterOf(policy.profile)),
  );
  return async (request) => {
    // Before the scan: a rule that is written meanwhile counts for the next one, which the watcher requests.
    const limits = await machine();
    const own = await ownRules();
    const result = await scan(request);
    const watched = { ...result, awaited: [...result.awaited, ownFile, MACHINE_POLICY] };
    const policies = [...(own === undefined ? [] : [own]), ...limits.rules];
    const isFree = policies.every(({ rules }) => rules.every(({ level }) => level === "allow"));
    const left = leaveOut(limits) ?? ((whole: ScanResult) => whole);
    if (isFree && auditWithin(limits, deps.options.audit) === undefined) return left(watched);
    const review = await reviewFor(limits);
    return left(await review(watched, policies.length === 0 ? [{ file: ownFile, rules: [] }] : policies));
  };
}

type Audit = SkillViewOptions["audit"];

/** What the machine's audit finds, nobody can ignore. */
function auditWithin({ policy }: MachineLimits, own: Audit): Audit {
  const limit = policy?.settings.find(({ parts }) => parts[0] === "audit")?.value;
  const severity = SEVERITIES.find((one) => one === limit);
  if (severity === undefined) return own;
  return { block: stricterOf("audit.block", own?.block ?? severity, severity), ignore: [] };
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
