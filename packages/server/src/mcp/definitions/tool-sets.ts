import { allowsScripts, type Profile, smallestBudget } from "#skills";
import { Refusal, suggestNames } from "#util/pure";
import type { ServerSettings } from "../server/settings.ts";
import { TOOL_SETS, type ToolSet } from "./definition.ts";
import { TOOL_FACTS, type ToolName } from "./tool-definitions.generated.ts";

/** The tools of a server. `auto` ones are listed only when needed, but can always be called. */
export interface ToolSelection {
  readonly always: readonly ToolName[];
  readonly auto: readonly ToolName[];
}

export const TOOL_NAMES: readonly ToolName[] = TOOL_FACTS.map(({ name }) => name);

const SETS = Object.keys(TOOL_SETS) as readonly ToolSet[];
const SET_OF: ReadonlyMap<string, ToolSet> = new Map(TOOL_FACTS.map(({ name, set }) => [name, set]));
const LISTED_WHEN_NEEDED: ReadonlySet<string> = new Set(
  TOOL_FACTS.filter(({ listedWhen }) => listedWhen !== undefined).map(({ name }) => name),
);

/** Whether the text that lists the skills also says how to use a tool. */
export function isExplainedByList(tool: ToolName): boolean {
  return ["loader", "finder"].includes(SET_OF.get(tool) ?? "");
}

function toolsIn(set: ToolSet): readonly ToolName[] {
  return TOOL_NAMES.filter((tool) => SET_OF.get(tool) === set);
}

function byNeed(tools: readonly ToolName[]): ToolSelection {
  return {
    always: tools.filter((tool) => !LISTED_WHEN_NEEDED.has(tool)),
    auto: tools.filter((tool) => LISTED_WHEN_NEEDED.has(tool)),
  };
}

const LOADER = byNeed(toolsIn("loader"));
const DEFAULT_AUTO = [...LOADER.auto, ...byNeed(toolsIn("finder")).auto];

/** The tools unless `--tools` is given. */
export const DEFAULT_TOOLS = {
  /** The loader; its reader of files where they are needed, and the finder where not every skill is listed. */
  loader: { always: LOADER.always, auto: DEFAULT_AUTO },
  /** The loader, and the catalog tools over `--root`. */
  loaderAndCatalog: { always: [...LOADER.always, ...toolsIn("catalog")], auto: DEFAULT_AUTO },
  catalog: { always: toolsIn("catalog"), auto: [] },
} as const satisfies Readonly<Record<string, ToolSelection>>;

/** Adds the library's tools. */
export function withLibraryTools({ always, auto }: ToolSelection): ToolSelection {
  return { always: [...always, ...toolsIn("library")], auto };
}

/** Whether every tool that was chosen needs a library. */
export function needsLibrary({ always, auto }: ToolSelection): boolean {
  return [...always, ...auto].every((tool) => SET_OF.get(tool) === "library");
}

/** Tells a model when to use which tool: a sentence for each set, in the order of the tools. */
export function instructionsFor(
  { always, auto }: ToolSelection,
  toolNames: "dotted" | "underscore" = "dotted",
): string {
  const sets = new Set([...always, ...auto].map((tool) => SET_OF.get(tool)));
  const guidance = [...sets].map((set) => (set === undefined ? "" : TOOL_SETS[set])).join(" ");
  if (toolNames === "dotted") return guidance;
  return TOOL_NAMES.reduce(
    (text, tool) => text.replaceAll(`\`${tool}\``, `\`${underscored(tool)}\``),
    guidance,
  );
}

/**
 * Parses `--tools`: set names, tool names or `all`, as comma lists. Tools that are named are always listed; of the set
 * `loader`, what is needed only sometimes is listed only then.
 */
export function selectTools(lists: readonly string[], otherwise: ToolSelection): ToolSelection {
  if (lists.length === 0) return otherwise;
  const tokens = tokensIn(lists);
  const wanted = new Set(tokens.flatMap((token) => (token === "loader" ? LOADER.always : toolsNamed(token))));
  return {
    always: TOOL_NAMES.filter((tool) => wanted.has(tool)),
    auto: tokens.includes("loader") ? LOADER.auto.filter((tool) => !wanted.has(tool)) : [],
  };
}

/** Of a server's tools, those that a list of sets and tools names. */
function narrowTools({ always, auto }: ToolSelection, named: readonly string[]): ToolSelection {
  const allowed = new Set(tokensIn(named).flatMap(toolsNamed));
  const isLeft = (tool: ToolName): boolean => allowed.has(tool);
  return { always: always.filter(isLeft), auto: auto.filter(isLeft) };
}

function tokensIn(lists: readonly string[]): readonly string[] {
  return lists.flatMap((list) => list.split(",")).map((part) => part.trim());
}

function toolsNamed(token: string): readonly ToolName[] {
  if (token === "all") return TOOL_NAMES;
  const named = TOOL_NAMES.filter((tool) => [tool, underscored(tool), SET_OF.get(tool)].includes(token));
  if (named.length > 0) return named;
  const known = ["all", ...SETS, ...TOOL_NAMES];
  const [meant] = suggestNames(token, known, 1);
  const way = meant === undefined ? `Allowed: ${known.join(", ")}.` : `Did you mean '${meant}'?`;
  throw new Refusal(`--tools does not accept '${token}'. ${way}`, {
    code: "bad-usage",
    flag: "--tools",
  });
}

/** Some model APIs reject dots in the names of tools, and with one of them the whole list. */
export function underscored(name: string): string {
  return name.replaceAll(".", "_");
}

type ToolScope = NonNullable<(typeof TOOL_FACTS)[number]["scope"]>;

/** The scope of each tool that does more than read, by both of its names. */
export const TOOL_SCOPES: ReadonlyMap<string, ToolScope> = new Map(
  TOOL_FACTS.flatMap(({ name, scope }) =>
    scope === undefined ? [] : [name, underscored(name)].map((each): [string, ToolScope] => [each, scope]),
  ),
);

/** Whether a caller may use a tool; without scopes every tool is allowed. */
export function mayCall(tool: string, scopes: readonly string[] | undefined): boolean {
  const needed = TOOL_SCOPES.get(tool);
  return needed === undefined || scopes === undefined || scopes.includes(needed);
}

/** The settings that a profile decides as well. */
export type ProfiledSettings = Pick<ServerSettings, "tools" | "descriptionBudget" | "instructionsBudget">;

/** What is left of a server's tools for whoever is served these profiles, and what their model is told. */
export function forProfiles(
  { tools, descriptionBudget, instructionsBudget }: ProfiledSettings,
  profiles: readonly Profile[],
): ProfiledSettings {
  const lists = profiles.flatMap(({ tools: named }) => (named === undefined ? [] : [named]));
  const left = lists.reduce(narrowTools, tools);
  return {
    tools: allowsScripts(profiles) ? left : withoutScripts(left),
    descriptionBudget: smaller(descriptionBudget, smallestBudget(profiles, "description_budget")),
    instructionsBudget: smaller(instructionsBudget, smallestBudget(profiles, "instructions_budget")),
  };
}

function smaller(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

function withoutScripts({ always, auto }: ServerSettings["tools"]): ServerSettings["tools"] {
  const isLeft = (tool: string): boolean => TOOL_SCOPES.get(tool) !== "skills:run";
  return { always: always.filter(isLeft), auto: auto.filter(isLeft) };
}
