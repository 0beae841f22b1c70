import type { CatalogChange } from "../catalog/visible-change.ts";
import type { RefreshEvent, Snapshot } from "../registry/registry.ts";
import type { Diagnostic } from "../skill/diagnostic.ts";
import type { Usage, UsageState } from "../usage/create-usage.ts";
import type { Health } from "./health.ts";
import type { LibraryTools } from "./library/create-library.ts";
import type { SearchResult } from "./search/search-skills.ts";
import type { LoadedSkill } from "./skills/load-skill.ts";
import type { CatalogList, CatalogSearch } from "./skills/skill-catalog.ts";
import type { AnyInfo } from "./skills/skill-info.ts";
import type { NameOrigin, ToggleResult } from "./skills/toggle-skill.ts";
import type { Span, UsageSummary } from "./usage/usage-stats.ts";

/**
 * What the product does. The edges (command line, MCP, HTTP) call this, and other functions of `app/`. Of what lies
 * below they use types, the pure functions of `skill/`, `catalog/` and `search/engine/`, and helpers of `system/` that do
 * no I/O; never a value of `registry/`, `search/`, `library/`, `sources/` or `usage/`. test/architecture.test.ts checks it.
 */
export interface App {
  /** The current skills; waits only for the first scan. */
  snapshot(): Promise<Snapshot>;
  /** The skills as they are on the disk at this moment. */
  refresh(): Promise<Snapshot>;
  load(name: string): Promise<LoadedSkill>;
  search(task: string, limit: number): Promise<SearchResult>;
  /** What is wrong with the user's synonyms, the only other input of a search. */
  searchDiagnostics(): Promise<readonly Diagnostic[]>;
  /** Builds the search index in the background, so that the first search need not wait. */
  prepareSearch(): void;
  /** Every SKILL.md in the catalog's scope, as it is on the disk at this moment. */
  listCatalog(options: { query: string; includeBody: boolean }): Promise<CatalogList>;
  /** The skills that contain every word of a query, as they are on the disk at this moment. */
  searchAllWords(options: { query: string; limit: number }): Promise<CatalogSearch>;
  info(name: string): Promise<AnyInfo>;
  toggle(name: string, to: "enabled" | "disabled", origin?: NameOrigin): Promise<ToggleResult>;
  /** What the library tools do. */
  readonly library: LibraryTools;
  /** Records that something was used. */
  record: Usage["record"];
  /** What was found where, what is wrong, and how everything is doing. */
  health(): Promise<Health>;
  /** What was used on this machine in a span of days. */
  usage(span: Span): Promise<UsageSummary>;
  /** Figures for whoever operates a server. */
  status(): AppStatus;
  /** Calls back after each refresh that changed what clients can see. Returns how to stop. */
  onChange(listener: (change: CatalogChange) => void): () => void;
  /** Calls back after each refresh, whether anything changed or not. Returns how to stop. */
  onRefresh(listener: (event: RefreshEvent) => void): () => void;
  /** Replaces the further project folders (absolute), whose agents' folders are searched too. */
  setWorkspaces(dirs: readonly string[]): Promise<void>;
}

interface AppStatus {
  readonly refreshes: number;
  /** Undefined before the first event. */
  readonly usage: UsageState | undefined;
  /** The sandbox of the last script; undefined before the first one ran. */
  readonly sandbox: string | undefined;
}
