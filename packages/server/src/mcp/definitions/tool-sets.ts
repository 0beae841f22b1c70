import { Refusal } from "#util/pure";

/** The tools of a server. `auto` ones are listed only when needed, but can always be called. */
export interface ToolSelection {
  readonly always: readonly ToolName[];
  readonly auto: readonly ToolName[];
}

const LIBRARY_TOOLS = [
  "get_skill",
  "list_skills",
  "get_asset",
  "run_script",
  "report_usage",
  "refresh_skills",
] as const;

const TOOL_SETS = {
  loader: ["skill", "read_skill_file"],
  catalog: ["skills.list", "skills.search"],
  finder: ["find_skills"],
  library: LIBRARY_TOOLS,
} as const;

export type ToolName = (typeof TOOL_SETS)[keyof typeof TOOL_SETS][number];

/** The sentence about each set in the server's instructions. */
const GUIDANCE: Readonly<Record<keyof typeof TOOL_SETS, string>> = {
  loader:
    "Skills are instructions for particular tasks. Before you begin a task, check the list in the `skill` tool's description; if one fits, load it with `skill` and follow it.",
  catalog: "Prefer `skills.list` for exhaustive metadata and `skills.search` for targeted lookups.",
  finder: "When `find_skills` is listed, use it to search all skills by task.",
  library:
    "For a development task, call `get_skill` with a description of it and follow the rules it returns; `list_skills` shows all of them.",
};

const SETS = Object.entries(TOOL_SETS) as readonly (readonly [keyof typeof TOOL_SETS, readonly ToolName[]])[];
export const TOOL_NAMES: readonly ToolName[] = SETS.flatMap(([, names]) => names);

/** The tools unless `--tools` is given. */
export const DEFAULT_TOOLS = {
  /** The loader; its reader of files where they are needed, and the finder where not every skill is listed. */
  loader: { always: ["skill"], auto: ["read_skill_file", "find_skills"] },
  /** The same, and the catalog tools over `--root`. */
  loaderAndCatalog: {
    always: ["skill", ...TOOL_SETS.catalog],
    auto: ["read_skill_file", "find_skills"],
  },
  catalog: { always: TOOL_SETS.catalog, auto: [] },
} as const satisfies Readonly<Record<string, ToolSelection>>;

/** The same, and the library's tools. */
export function withLibraryTools({ always, auto }: ToolSelection): ToolSelection {
  return { always: [...always, ...LIBRARY_TOOLS], auto };
}

/** Whether every tool that was chosen needs a library. */
export function needsLibrary({ always, auto }: ToolSelection): boolean {
  const library: readonly ToolName[] = LIBRARY_TOOLS;
  return [...always, ...auto].every((tool) => library.includes(tool));
}

/** Tells a model when to use which tool: a sentence for each set, in the order of the tools. */
export function instructionsFor(
  { always, auto }: ToolSelection,
  toolNames: "dotted" | "underscore" = "dotted",
): string {
  const sets = [...always, ...auto].map((tool) => SETS.find(([, names]) => names.includes(tool))?.[0]);
  const guidance = [...new Set(sets)].map((set) => (set === undefined ? "" : GUIDANCE[set])).join(" ");
  if (toolNames === "dotted") return guidance;
  return TOOL_NAMES.reduce(
    (text, tool) => text.replaceAll(`\`${tool}\``, `\`${underscored(tool)}\``),
    guidance,
  );
}

/**
 * Parses `--tools`: set names, tool names or `all`, as comma lists. Tools that are named are always listed; the one that
 * comes with the loader only where it is needed.
 */
export function selectTools(lists: readonly string[], otherwise: ToolSelection): ToolSelection {
  if (lists.length === 0) return otherwise;
  const wanted = new Set<ToolName>();
  const tokens = lists.flatMap((list) => list.split(",")).map((part) => part.trim());
  for (const token of tokens) {
    for (const tool of token === "loader" ? (["skill"] as const) : toolsNamed(token)) wanted.add(tool);
  }
  const withReader = tokens.includes("loader") && !wanted.has("read_skill_file");
  return {
    always: TOOL_NAMES.filter((tool) => wanted.has(tool)),
    auto: withReader ? ["read_skill_file"] : [],
  };
}

/** Of a server's tools, those that a list of sets and tools names. */
export function narrowTools({ always, auto }: ToolSelection, named: readonly string[]): ToolSelection {
  const allowed = new Set(
    named.flatMap((list) => list.split(",")).flatMap((token) => toolsNamed(token.trim())),
  );
  const isLeft = (tool: ToolName): boolean => allowed.has(tool);
  return { always: always.filter(isLeft), auto: auto.filter(isLeft) };
}

function toolsNamed(token: string): readonly ToolName[] {
  if (token === "all") return TOOL_NAMES;
  const named =
    SETS.find(([set]) => set === token)?.[1] ??
    TOOL_NAMES.filter((tool) => tool === token || underscored(tool) === token);
  if (named.length > 0) return named;
  const known = ["all", ...SETS.map(([set]) => set), ...TOOL_NAMES];
  throw new Refusal(`--tools does not accept '${token}'. Allowed: ${known.join(", ")}.`, {
    code: "bad-usage",
    flag: "--tools",
  });
}

/** Some model APIs reject dots in the names of tools, and with one of them the whole list. */
export function underscored(name: string): string {
  return name.replaceAll(".", "_");
}
