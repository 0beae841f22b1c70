import type { ListToolsResult } from "@modelcontextprotocol/server";
import type { Entry } from "../../catalog/catalog.ts";
import { listFormat, xmlFormat } from "../../catalog/describe/formats.ts";
import { type Catalogue, writeCatalogue } from "../../catalog/describe/write-catalogue.ts";
import type { Snapshot } from "../../registry/registry.ts";
import { memoizeWeak } from "../../system/memoize.ts";
import { byLikelyUse, type ListedSkills, listedSkills } from "../clients/listed-skills.ts";
import { type Client, type ClientProfile, profileOf } from "../clients/profiles.ts";
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
  client: Client | undefined,
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
 * `recentSkills` are those that come first where not every skill is shown.
 */
export function createToolList(
  settings: ToolListSettings,
  recentSkills: () => ReadonlySet<string> = () => new Set(),
): ListTools {
  const { always, auto } = settings.tools;
  const all = [...always, ...auto];
  const cacheOf = memoizeWeak((_snapshot: Snapshot) => new Map<string, ToolList>());

  const write = (snapshot: Snapshot, profile: ClientProfile, allowed: readonly ToolName[]): ToolList => {
    const skills = listedSkills(snapshot, profile, settings.leaveOut ?? []);
    const { catalogue, shown } = describeSkills(skills, profile, allowed, settings, recentSkills);
    const { complete } = catalogue;
    const listed = allowed.filter((tool) => always.includes(tool) || tool !== "find_skills" || !complete);
    const { length: count } = snapshot.catalog.entries;
    const enumerable = profile.acceptsEnum && shown.length === count && count > 0 && count <= MOST_IN_ENUM;
    const names = enumerable ? shown.map(({ listedAs }) => listedAs) : undefined;
    const tools = listed.map((tool) => ({
      name: settings.toolNames === "underscore" ? underscored(tool) : tool,
      ...DEFINITIONS[tool]({ snapshot, catalogue, names }),
    }));
    const searchable = listed.includes("find_skills");
    const { instructions } = catalogue;
    return { answer: { tools }, instructions, shown, native: skills.native, complete, searchable };
  };
  return (snapshot, client, scopes, isRemote = false) => {
    const lists = cacheOf(snapshot);
    const profile = profileFor(client, settings);
    const readsFiles = snapshot.hasFiles && (isRemote || !profile.opensFiles);
    const allowed = all.filter(
      (tool) => mayCall(tool, scopes) && (tool !== "read_skill_file" || readsFiles || always.includes(tool)),
    );
    const { description, instructions } = profile.budgets;
    const key = `${profile.title} ${description} ${instructions} ${allowed.join()}`;
    const list = lists.get(key) ?? write(snapshot, profile, allowed);
    lists.set(key, list);
    return list;
  };
}

/** What is known of a client, with the budgets that the operator chose. */
export function profileFor(
  client: Client | undefined,
  {
    descriptionBudget,
    instructionsBudget,
  }: Pick<ToolListSettings, "descriptionBudget" | "instructionsBudget">,
): ClientProfile {
  const profile = profileOf(client);
  const { description, instructions } = profile.budgets;
  return {
    ...profile,
    budgets: {
      description: descriptionBudget ?? description,
      instructions: instructionsBudget ?? instructions,
    },
  };
}

function describeSkills(
  { listed, native }: ListedSkills,
  profile: ClientProfile,
  allowed: readonly ToolName[],
  { toolNames, descriptionFormat }: ToolListSettings,
  recentSkills: () => ReadonlySet<string>,
): { readonly catalogue: Catalogue; readonly shown: readonly Entry[] } {
  const others = allowed.filter((tool) => !OF_THE_LIST.has(tool));
  const options = {
    ...profile,
    format: descriptionFormat === "xml" ? xmlFormat : listFormat,
    finder: allowed.includes("find_skills"),
    guidance: instructionsFor({ always: others, auto: [] }, toolNames),
    ...(native.length === 0 ? {} : { note: nativeNote(native.length, profile) }),
  };
  const whole = writeCatalogue(listed, options);
  // The order matters only where something is cut.
  const entries = whole.complete ? listed : byLikelyUse(listed, recentSkills());
  const catalogue = whole.complete ? whole : writeCatalogue(entries, options);
  const shown = entries.slice(0, catalogue.shown);
  if (allowed.includes("skill")) return { catalogue, shown };
  const instructions = instructionsFor({ always: allowed, auto: [] }, toolNames);
  return { catalogue: { ...catalogue, instructions }, shown };
}

function nativeNote(count: number, { title }: ClientProfile): string {
  return `${count} more ${count === 1 ? "skill is" : "skills are"} known to ${title} itself.`;
}
