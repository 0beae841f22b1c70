import type { SkillAudit, ValidatedFile } from "#check";
import type { SearchIndexSource, SearchResult } from "#search";
import type {
  Audience,
  Diagnostic,
  LoadedSkill,
  Skill,
  SkillCatalog,
  Snapshot,
  SnapshotSource,
} from "#skills";
import type { RepoState } from "#sources";
import type { Span, Usage, UsageState, UsageSummary, UsedBy } from "#usage";
import type { allFindings } from "./health/all-findings.ts";
import type { Health } from "./health/health.ts";
import type { LikelyUse } from "./mcp/describe/list-order.ts";
import type { AnyInfo } from "./skill-info.ts";

/** The skills that someone is served. */
export interface Skills extends SnapshotSource {
  /** Snapshot for resolving a name. If the name is unknown, waits for the first clone of each repository. */
  snapshotWith(name: string): Promise<Snapshot>;
  load(name: string): Promise<LoadedSkill>;
  info(name: string): Promise<AnyInfo>;
}

/** What the catalog tools do: every call sees the disk as it is at that moment. */
export interface CatalogSearch {
  /** Every SKILL.md in the catalog's scope. */
  listCatalog(wanted: Parameters<SkillCatalog["list"]>[0]): ReturnType<SkillCatalog["list"]>;
  /** The skills that contain every word of a query. */
  searchAllWords(wanted: Parameters<SkillCatalog["search"]>[0]): ReturnType<SkillCatalog["search"]>;
}

/** Ranked search over these skills. */
export interface Search extends SearchIndexSource {
  search(task: string, limit: number, audience?: Audience): Promise<SearchResult>;
  /** What is wrong with the user's synonyms. */
  searchDiagnostics(): Promise<readonly Diagnostic[]>;
  /** Builds the index in the background. */
  prepareSearch(): void;
}

/** Records what is used, and counts it. */
export interface UsageRecords {
  readonly record: Usage["record"];
  /** Records that a client wanted a skill by a name that none has. */
  recordUnknownName(name: string, via: string, by?: UsedBy): void;
  /** What was used, by one caller or by all: on all replicas, or on this machine. */
  usage(span: Span, caller?: string): Promise<UsageSummary>;
  /** Decides which skills come first in lists that are cut; the answer stays the same for the whole run. */
  likelyUse(): LikelyUse;
}

/** What is wrong, and what is in force. */
export interface Checks {
  health(): Promise<Health>;
  /** The profiles in force and how many skills they leave out, for people who may know; undefined without any. */
  inForce(): Promise<{ readonly profiles: readonly string[]; readonly leftOut: number } | undefined>;
  /** The state of each repository that may be seen, as far as it is known without asking a git server. */
  repositories(): Promise<readonly RepoState[]>;
  /** What `validate` and the audit say about the skills that are served. */
  findings(): Promise<readonly ValidatedFile[]>;
  /** What `validate` and the audit say about one skill, served or not, as its files are at this moment. */
  findingsOf(skill: Skill): Promise<readonly ValidatedFile[]>;
  /** What the audit finds in skills that are served; without names in all of them. */
  audit(
    names?: readonly string[],
    onDone?: (done: number, all: number) => void,
  ): Promise<readonly SkillAudit[]>;
  /** Everything that is wrong, whichever check says it, in one list. */
  problems(): Promise<ReturnType<typeof allFindings>>;
  /** Metrics of a running server. */
  status(): {
    readonly refreshes: number;
    readonly usage: UsageState | undefined;
    readonly sandbox: string | undefined;
  };
}
