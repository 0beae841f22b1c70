import type { ListToolsResult } from "@modelcontextprotocol/server";
import { type ClientInfo, type ClientTraits, traitsOf } from "#agents";
import type { Entry, LikelyUse, Snapshot } from "#skills";
import {
  byLikelyUse,
  type Catalogue,
  type ListedSkills,
  listedSkills,
  listFormat,
  NO_TOPICS,
  type OrderedSkills,
  writeCatalogue,
  xmlFormat,
} from "#skills";
import { memoizeWeak } from "#util/pure";
import type { ServerSettings } from "../server/settings.ts";
import { DEFINITIONS } from "./all-definitions.ts";
import { mayCall } from "./tool-scopes.ts";
import { instructionsFor, type ToolName, underscored } from "./tool-sets.ts";

/** What a client is told before it calls a tool. */
export interface ToolList {
  readonly answer: ListToolsResult;
  readonly instructions: string;
  /** The skills that are named in either. */
  readonly shown: readonly Entry[];
  /** How many skills come first for what reason; undefined where nothing is cut. */
  readonly first: OrderedSkills["first"] | undefined;
  /** Skills that are left out, because the client reads them by itself. */
  readonly native: readonly Entry[];
  /** Whether every skill is there with its whole description. */
  readonly complete: boolean;
  /** Whether `find_skills` is among the tools. */
  readonly searchable: boolean;
}

/** Returns the tools for a client; only those that its scopes allow, if it has scopes. */
export type ListTools = (
  snapshot: Snapshot,
  client: ClientInfo | undefined,
  scopes?: readonly string[],
  isRemote?: boolean,
) => ToolList;

/** The settings that decide a list. */
export type ToolListSettings = Pick<
  ServerSettings,
  "tools" | "toolNames" | "descriptionFormat" | "descriptionBudget" | "instructionsBudget" | "leaveOut"
>;

/** What the list of skills itself says how to use. */
const OF_THE_LIST: ReadonlySet<ToolName> = new Set(["skill", "find_skills", "read_skill_file"]);

/** The most skills whose names are worth an `enum` in the schema. */
const MOST_IN_ENUM = 50;

/**
 * Writes each list once, however many sessions ask for it. It needs no SDK, so the first list need not wait for it.
 * `likelyUse` decides which skills come first where not every one is shown.
 */
export function createToolList(
  settings: ToolListSettings,
  likelyUse: () => LikelyUse = () => ({ recent: new Set(), project: NO_TOPICS }),
): ListTools {
  const { always, auto } = settings.tools;
  const all = [...always, ...auto];
  const cacheOf = memoizeWeak((_snapshot: Snapshot) => new Map<string, ToolList>());

  const write = (snapshot: Snapshot, traits: ClientTraits, allowed: readonly ToolName[]): ToolList => {
    const skills = listedSkills(snapshot, traits, settings.leaveOut ?? []);
    const { catalogue, shown, first } = describeSkills(skills, traits, allowed, settings, likelyUse);
    const { complete } = catalogue;
    const listed = allowed.filter((tool) => always.includes(tool) || tool !== "find_skills" || !complete);
    const { length: count } = snapshot.catalog.entries;
    const enumerable = traits.acceptsEnum && shown.length === count && count > 0 && count <= MOST_IN_ENUM;
    const names = enumerable ? shown.map(({ listedAs }) => listedAs) : undefined;
    const tools = listed.map((tool) => ({
      name: settings.toolNames === "underscore" ? underscored(tool) : tool,
      ...DEFINITIONS[tool]({ snapshot, catalogue, names }),
    }));
    const searchable = listed.includes("find_skills");
    const { instructions } = catalogue;
    return { answer: { tools }, instructions, shown, first, native: skills.native, complete, searchable };
  };
  return (snapshot, client, scopes, isRemote = false) => {
    const lists = cacheOf(snapshot);
    const traits = traitsFor(client, settings);
    const readsFiles = snapshot.hasFiles && (isRemote || !traits.opensFiles);
    const allowed = all.filter(
      (tool) => mayCall(tool, scopes) && (tool !== "read_skill_file" || readsFiles || always.includes(tool)),
    );
    const { description, instructions } = traits.budgets;
    // Versions of one client may differ in any of these.
    const key = [
      traits.title,
      ...traits.listIn,
      traits.firstLineLimit,
      description,
      instructions,
      ...allowed,
    ].join(" ");
    const list = lists.get(key) ?? write(snapshot, traits, allowed);
    lists.set(key, list);
    return list;
  };
}

/** What is known of a client, with the budgets that the operator chose. */
export function traitsFor(
  client: ClientInfo | undefined,
  {
    descriptionBudget,
    instructionsBudget,
  }: Pick<ToolListSettings, "descriptionBudget" | "instructionsBudget">,
): ClientTraits {
  const traits = traitsOf(client);
  const { description, instructions } = traits.budgets;
  return {
    ...traits,
    budgets: {
      description: descriptionBudget ?? description,
      instructions: instructionsBudget ?? instructions,
    },
  };
}

function describeSkills(
  { listed, native }: ListedSkills,
  traits: ClientTraits,
  allowed: readonly ToolName[],
  { toolNames, descriptionFormat }: ToolListSettings,
  likelyUse: () => LikelyUse,
): { readonly catalogue: Catalogue } & Pick<ToolList, "shown" | "first"> {
  const others = allowed.filter((tool) => !OF_THE_LIST.has(tool));
  const options = {
    ...traits,
    format: descriptionFormat === "xml" ? xmlFormat : listFormat,
    finder: allowed.includes("find_skills"),
    guidance: instructionsFor({ always: others, auto: [] }, toolNames),
    ...(native.length === 0 ? {} : { note: nativeNote(native.length, traits) }),
  };
  const whole = writeCatalogue(listed, options);
  // The order matters only where something is cut.
  const { entries, first } = whole.complete
    ? { entries: listed, first: undefined }
    : byLikelyUse(listed, likelyUse());
  const catalogue = whole.complete ? whole : writeCatalogue(entries, options);
  const shown = entries.slice(0, catalogue.shown);
  if (allowed.includes("skill")) return { catalogue, shown, first };
  const instructions = instructionsFor({ always: allowed, auto: [] }, toolNames);
  return { catalogue: { ...catalogue, instructions }, shown, first };
}

function nativeNote(count: number, { title }: ClientTraits): string {
  return `${count} more ${count === 1 ? "skill is" : "skills are"} known to ${title} itself.`;
}
