import type { AuditFinding } from "#check";
import { compareFiles, diffContent } from "#install";
import {
  digestsOf,
  type ReviewCandidate,
  type ReviewedSkill,
  type SkillContent,
  type Snapshot,
} from "#skills";
import { defined, Refusal } from "#util/pure";
import {
  type Approval,
  type Approvals,
  type ApprovedSkill,
  approvalsFile,
  readApprovals,
} from "./approved/approvals.ts";
import { openApprovedCopies } from "./approved/approved-copies.ts";
import { type CandidateContent, createDigests, readCandidate } from "./candidate.ts";
import { candidateFindings } from "./candidate-audit.ts";

/** `approved`: what is served is what its source holds. `rejected`: somebody decided not to serve what its source holds. */
type ReviewState = "new" | "changed" | "approved" | "rejected" | "blocked";

/** A skill under review, with what a decision needs to know. */
export interface ReviewItem {
  readonly name: string;
  readonly state: ReviewState;
  readonly description: string;
  /** `https://github.com/acme/skills@1a2b3c4d5e6f: skills/pdf`, or a folder. */
  readonly source: string;
  /** What decided that it is reviewed. */
  readonly rule: string;
  /** Of what its source holds now, as `sha256:` and 64 digits; absent if that cannot be read. */
  readonly digest?: string;
  /** The version that is served; absent when none is. */
  readonly served?: Pick<Approval, "at" | "by"> & { readonly digest: string; readonly commit?: string };
  /** Approved versions before the served one, to which it can be rolled back. */
  readonly earlier: number;
  /** What the audit finds in what its source holds now, the worst first. */
  readonly findings: readonly AuditFinding[];
  /** Why it cannot be approved, or an approved version not be served. */
  readonly problem?: string;
}

/** A skill under review with everything that a decision needs. */
export interface ReviewDetail extends ReviewItem {
  readonly files: ReturnType<typeof compareFiles>;
  /** A unified diff against what is served; everything is new where nothing is. */
  readonly diff: string;
}

/** Nothing waits for a decision in these states. */
const DECIDED: ReadonlySet<ReviewState> = new Set(["approved", "rejected"]);

export type ReviewList = ReturnType<typeof createReviewList>;

/** Lists the skills under review. What was compared once is compared again only if a file has changed. */
export function createReviewList(ownFolder: string, ignore: readonly string[] = []) {
  const digests = createDigests(Date.now);
  /** By digest: the same content has the same findings. */
  const findings = new Map<string, readonly AuditFinding[]>();
  const copies = openApprovedCopies(ownFolder);
  const approvals = () => readApprovals(approvalsFile(ownFolder));

  async function itemOf(reviewed: ReviewedSkill, approved: Approvals): Promise<ReviewItem> {
    const known = approved.get(reviewed.key);
    try {
      const digest =
        reviewed.level === "block" ? undefined : await digests.of(reviewed.key, reviewed.candidate);
      const found = item(reviewed, known, digest);
      if (digest === undefined || found.state === "approved") return found;
      return { ...found, findings: findings.get(digest) ?? (await examine(reviewed)) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { ...item(reviewed, known, undefined), problem: error.message };
    }
  }

  async function examine({ candidate }: ReviewedSkill): Promise<readonly AuditFinding[]> {
    const { content, digest } = await readCandidate(candidate);
    const found = candidateFindings(candidate, content, ignore);
    findings.set(digest, found);
    return found;
  }

  return {
    /** Those that wait for a decision, and those that are blocked, unless `all` are wanted. */
    async list({ reviewed = [] }: Snapshot, all = false): Promise<readonly ReviewItem[]> {
      const items: ReviewItem[] = [];
      const approved = approvals();
      for (const one of reviewed) items.push(await itemOf(one, approved));
      return all ? items : items.filter(({ state, problem }) => !DECIDED.has(state) || problem !== undefined);
    },
    /** One of them with its files and the diff. What is returned as `now` is what the diff shows. */
    async detail(
      reviewed: ReviewedSkill,
    ): Promise<{ readonly detail: ReviewDetail; readonly now: CandidateContent }> {
      const known = approvals().get(reviewed.key);
      const now = await readCandidate(reviewed.candidate);
      const before: SkillContent =
        (reviewed.served === undefined ? undefined : await copies.load(reviewed.served)) ?? new Map();
      const files = compareFiles(digestsOf(before), now.files);
      const names = [...files.added, ...files.changed, ...files.removed];
      const diff = diffContent(before, now.content, names);
      const found = candidateFindings(reviewed.candidate, now.content, ignore);
      return { detail: { ...item(reviewed, known, now.digest), findings: found, files, diff }, now };
    },
  };
}

function item(
  reviewed: ReviewedSkill,
  known: ApprovedSkill | undefined,
  digest: string | undefined,
): ReviewItem {
  const versions = known?.versions ?? [];
  const { name, level, rule, candidate, served, problem } = reviewed;
  const current = served === undefined ? undefined : versions.find((version) => version.digest === served);
  const isSame = digest !== undefined && digest === served && isSameOwner(candidate, current);
  const state =
    level === "block"
      ? "blocked"
      : isSame
        ? "approved"
        : digest !== undefined && digest === known?.rejected
          ? "rejected"
          : served === undefined
            ? "new"
            : "changed";
  return {
    name,
    state,
    description: candidate.kind === "skill" ? candidate.skill.description : candidate.file.description,
    source: shownSource(candidate),
    rule,
    ...defined({ digest: digest && `sha256:${digest}`, served: current && servedAs(current) }),
    earlier: Math.max(0, versions.length - 1),
    findings: [],
    ...defined({ problem }),
  };
}

function servedAs({ digest, at, by, commit }: Approval): NonNullable<ReviewItem["served"]> {
  return { digest: `sha256:${digest}`, at, by, ...defined({ commit }) };
}

/** The name of a plugin is approved with its skills, because people and models see it. */
function isSameOwner(candidate: ReviewCandidate, approval: Approval | undefined): boolean {
  if (candidate.kind === "library") return true;
  return JSON.stringify(candidate.skill.plugin ?? null) === JSON.stringify(approval?.plugin ?? null);
}

function shownSource(candidate: ReviewCandidate): string {
  const repo = candidate.kind === "skill" ? candidate.skill.repo : candidate.repo;
  if (repo !== undefined)
    return `${repo.url}@${repo.commit.slice(0, 12)}: ${repo.path === "" ? "." : repo.path}`;
  return candidate.kind === "skill" ? candidate.skill.dir : candidate.file.file;
}
