import type { SkillAudit, ValidatedFile } from "#check";
import type { InstallPlaces } from "#install";
import type { LibraryTools } from "#library";
import type { SearchIndexSource, SearchResult } from "#search";
import type {
  Audience,
  Diagnostic,
  loadSkill,
  ProfilesInForce,
  Skill,
  SkillCatalog,
  SkillViewOptions,
  Snapshot,
  SnapshotSource,
  SnapshotView,
  Toggles,
} from "#skills";
import type { RepoState } from "#sources";
import type { AuditLog, ReviewTools } from "#trust";
import type { Span, Usage, UsageState, UsageSummary, UsedBy } from "#usage";
import type { PageTools } from "./dashboard/page-tools.ts";
import type { allFindings } from "./health/all-findings.ts";
import type { Health } from "./health/health.ts";
import type { LikelyUse } from "./mcp/describe/list-order.ts";
import type { AppOptions } from "./options.ts";
import type { AnyInfo } from "./skill-info.ts";

/** The skills that someone is served. */
export interface Skills extends SnapshotSource {
  /** Snapshot for resolving a name. If the name is unknown, waits for the first clone of each repository. */
  snapshotWith(name: string): Promise<Snapshot>;
  load(name: string): ReturnType<typeof loadSkill>;
  info(name: string): Promise<AnyInfo>;
}

/** What the catalog tools do: every call sees the disk as it is at that moment. */
interface CatalogTools {
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

/** The parts, put together over one source of skills. A function takes those of them that it uses. */
export interface Services {
  readonly skills: Skills;
  readonly catalog: CatalogTools;
  readonly search: Search;
  /** What one client is served, which may be less: `view` leaves something out of each snapshot. */
  servedAs(view: SnapshotView): Pick<Services, "skills" | "catalog" | "search">;
  readonly library: LibraryTools;
  /** The library tools, with what they do recorded as one caller's. */
  libraryOf(by: () => UsedBy): LibraryTools;
  readonly toggles: Toggles;
  readonly usage: UsageRecords;
  readonly checks: Checks;
  readonly review: () => Promise<ReviewTools>;
  /** The record of who was served what. */
  readonly auditLog: AuditLog;
  readonly page: PageTools;
  /** The folders that installed skills are in. */
  readonly installPlaces: InstallPlaces;
  /** Rates that replicas count together; undefined where this server is the only one. */
  readonly sharedRates: NonNullable<AppOptions["share"]>["rates"] | undefined;
  /** Replaces the additional project folders (absolute), which are searched for agents' folders too. */
  setWorkspaces(dirs: readonly string[]): Promise<void>;
  /** Serves what changed settings select. A wrong filter is a `Refusal`, and nothing changes. */
  setView(chosen: SkillViewOptions): Promise<void>;
  /** Services for someone who may see only some of the skills, and must not learn that there are others. */
  narrowed(narrowing: ProfilesInForce): Services;
}
