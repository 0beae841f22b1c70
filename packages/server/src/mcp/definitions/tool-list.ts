import type { ListToolsResult } from "@modelcontextprotocol/server";
import { type ClientInfo, type ClientTraits, traitsOf } from "#agents";
import type { Entry, Snapshot } from "#skills";
import { listedSkills, modelEntries, notServedAs } from "#skills";
import { cutText, memoizeWeak } from "#util/pure";
import { listFormat, xmlFormat } from "../describe/formats.ts";
import type { LikelyUse } from "../describe/list-order.ts";
import { byLikelyUse, byRule, type OrderedSkills } from "../describe/list-order.ts";
import { NO_TOPICS } from "../describe/project-topics.ts";
import { settingsNotice } from "../describe/settings-notice.ts";
import { type Catalogue, writeCatalogue } from "../describe/write-catalogue.ts";
import type { ServerSettings } from "../server/settings.ts";
import { ALWAYS_LOADED, type ToolDefinition, type ToolFacts } from "./definition.ts";
import { TOOL_DEFINITIONS, TOOL_FACTS, type ToolName } from "./tool-definitions.generated.ts";
import { instructionsFor, isExplainedByList, mayCall, underscored } from "./tool-sets.ts";

/** What a client is told before it calls a tool. */
export interface ToolList {
  readonly answer: ListToolsResult;
  readonly instructions: string;
  /** The skills that the answer or the instructions name. */
  readonly shown: readonly Entry[];
  /** Those, and then the ones that they do not name. */
  readonly ordered: readonly Entry[];
  /** How many skills come first, and why; undefined where the list is not cut. */
  readonly first: OrderedSkills["first"] | undefined;
  /** The skills that are left out because the client reads them itself. */
  readonly native: readonly Entry[];
  /** Whether every skill is listed with its whole description. */
  readonly complete: boolean;
  /** Whether `find_skills` is among the tools. */
  readonly searchable: boolean;
}

/** Returns what a client is told. Without scopes every tool is allowed. */
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

type InputSchema = ToolDefinition["inputSchema"];

/** With more skills their names would make the schema too long. */
const MOST_IN_ENUM = 50;

/**
 * Lists the tools without the MCP SDK, so that the first list need not wait for it. Each list is written once for a snapshot,
 * which takes about 30 ms for 1,000 skills. `likelyUse` decides which skills come first where the list is cut.
 */
export function createToolList(
  settings: ToolListSettings,
  likelyUse: () => LikelyUse = () => ({ recent: new Set(), project: NO_TOPICS }),
): ListTools {
  const { always, auto } = settings.tools;
  const all = [...always, ...auto].flatMap((name) => TOOL_FACTS.filter((tool) => tool.name === name));
  const cacheOf = memoizeWeak((_snapshot: Snapshot) => new Map<string, ToolList>());

  const write = (snapshot: Snapshot, traits: ClientTraits, allowed: typeof all): ToolList => {
    const { listed: entries, notListed } = listedSkills(snapshot, traits, settings.leaveOut ?? []);
    const native = notServedAs(notListed, "native").map(({ entry }) => entry);
    const skills = { listed: entries, native };
    const describe = (left: ClientTraits) =>
      describeSkills(skills, left, namesOf(allowed), settings, likelyUse);
    const { wrongSettings } = snapshot;
    const notice = wrongSettings && settingsNotice(wrongSettings);
    const { catalogue, shown, ordered, first } = underNotice(notice, traits, describe);
    const { complete, instructions } = catalogue;
    const { length: count } = snapshot.catalog.entries;
    const enumerable = traits.acceptsEnum && shown.length === count && count > 0 && count <= MOST_IN_ENUM;
    const names = enumerable ? shown.map(({ listedAs }) => listedAs) : undefined;
    const listed = allowed.filter(
      ({ name, listedWhen }) => listedWhen !== "list-cut" || !complete || always.includes(name),
    );
    const tools = listed.map((tool) => ({
      name: settings.toolNames === "underscore" ? underscored(tool.name) : tool.name,
      ...completed(TOOL_DEFINITIONS[tool.name], tool, { snapshot, catalogue, names }),
    }));
    const searchable = listed.some(({ name }) => name === "find_skills");
    return { answer: { tools }, instructions, shown, ordered, first, native, complete, searchable };
  };
  return (snapshot, client, scopes, isRemote = false) => {
    const lists = cacheOf(snapshot);
    const traits = traitsFor(client, settings);
    const readsFiles = snapshot.hasFiles && (isRemote || !traits.opensFiles);
    const allowed = all.filter(
      ({ name, listedWhen }) =>
        mayCall(name, scopes) && (listedWhen !== "files-unreachable" || readsFiles || always.includes(name)),
    );
    const { description, instructions } = traits.budgets;
    // Versions of one client may differ in any of these.
    const key = [
      traits.title,
      ...traits.listIn,
      traits.firstLineLimit,
      description,
      instructions,
      ...namesOf(allowed),
    ].join(" ");
    const list = lists.get(key) ?? write(snapshot, traits, allowed);
    lists.set(key, list);
    return list;
  };
}

function namesOf(tools: readonly { readonly name: ToolName }[]): readonly ToolName[] {
  return tools.map(({ name }) => name);
}

/** What the skills decide in a definition. */
interface ListContext {
  readonly snapshot: Snapshot;
  readonly catalogue: Catalogue;
  /** The only names that load a skill; undefined where there are others, or too many. */
  readonly names: readonly string[] | undefined;
}

/** A definition, completed with what depends on the skills. */
function completed(
  definition: ToolDefinition,
  { alwaysLoad, skillParameter }: ToolFacts,
  { snapshot: { catalog, library }, catalogue, names }: ListContext,
): ToolDefinition {
  const { description, inputSchema, _meta: meta } = definition;
  const texts: Readonly<Record<string, string | number>> = {
    "{skills}": catalogue.description,
    "{count}": modelEntries(catalog).length + library.skills.size,
    "{orGetSkill}": library.skills.size === 0 ? "" : ", or with get_skill where it has a skill_path",
  };
  return {
    ...definition,
    description: description?.replace(/\{\w+\}/g, (name) => `${texts[name] ?? name}`),
    inputSchema:
      skillParameter === undefined || names === undefined
        ? inputSchema
        : withEnum(inputSchema, skillParameter, names),
    ...(alwaysLoad === "list-cut" && !catalogue.complete ? { _meta: { ...ALWAYS_LOADED, ...meta } } : {}),
  };
}

/** The schema with the only values that a parameter may have. */
function withEnum(schema: InputSchema, parameter: string, values: readonly string[]): InputSchema {
  const declared = schema.properties as
    | Readonly<Record<string, Readonly<Record<string, string>>>>
    | undefined;
  const { description = "", ...checks } = declared?.[parameter] ?? {};
  const property = { ...checks, enum: [...values], description };
  return { ...schema, properties: { ...declared, [parameter]: property } };
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
  { listed, native }: Record<"listed" | "native", readonly Entry[]>,
  traits: ClientTraits,
  allowed: readonly ToolName[],
  { toolNames, descriptionFormat }: ToolListSettings,
  likelyUse: () => LikelyUse,
): { readonly catalogue: Catalogue } & Pick<ToolList, "shown" | "ordered" | "first"> {
  const others = allowed.filter((tool) => !isExplainedByList(tool));
  const options = {
    ...traits,
    format: descriptionFormat === "xml" ? xmlFormat : listFormat,
    finder: allowed.includes("find_skills"),
    guidance: instructionsFor({ always: others, auto: [] }, toolNames),
    ...(native.length === 0 ? {} : { note: nativeNote(native.length, traits) }),
  };
  const ruled = byRule(listed);
  const whole = writeCatalogue(ruled, options);
  // Where the list is not cut, only rules decide the order.
  const { entries, first } = whole.complete
    ? { entries: ruled, first: undefined }
    : byLikelyUse(listed, likelyUse());
  const catalogue = whole.complete ? whole : writeCatalogue(entries, options);
  const shown = entries.slice(0, catalogue.shown);
  if (allowed.includes("skill")) return { catalogue, shown, ordered: entries, first };
  const instructions = instructionsFor({ always: allowed, auto: [] }, toolNames);
  return { catalogue: { ...catalogue, instructions }, shown, ordered: entries, first };
}

/** The lists with a notice at the top of both texts, and within their budgets: what is over is cut from the lists first. */
function underNotice(
  notice: string | undefined,
  traits: ClientTraits,
  describe: (traits: ClientTraits) => ReturnType<typeof describeSkills>,
): ReturnType<typeof describeSkills> {
  if (notice === undefined) return describe(traits);
  const { budgets } = traits;
  const leave = (budget: number): number => Math.max(0, budget - notice.length - 2);
  const left = { description: leave(budgets.description), instructions: leave(budgets.instructions) };
  const { catalogue, ...rest } = describe({ ...traits, budgets: left });
  const put = (text: string, budget: number): string => cutText(`${notice}\n\n${text}`, budget);
  const description = put(catalogue.description, budgets.description);
  const instructions = put(catalogue.instructions, budgets.instructions);
  return { ...rest, catalogue: { ...catalogue, description, instructions } };
}

function nativeNote(count: number, { title }: ClientTraits): string {
  return `${count} more ${count === 1 ? "skill is" : "skills are"} known to ${title} itself.`;
}
