import { agentName, type ClientInfo, clientTitle } from "#agents";
import type { DisabledByClient, Entry, NotListed, Snapshot } from "#skills";
import { listedSkills, withoutDisabled } from "#skills";
import { defined, oneLine } from "#util/pure";
import { createToolList, type ToolList, type ToolListSettings, traitsFor } from "../definitions/tool-list.ts";
import { estimateTokens } from "../describe/estimate-tokens.ts";
import { line, listFormat, xmlFormat } from "../describe/formats.ts";
import type { LikelyUse, OrderedSkills } from "../describe/list-order.ts";
import type { ProjectTopics } from "../describe/project-topics.ts";
import { type Reason, reasonsOf } from "./reasons.ts";
import type { SeenCell } from "./seen-by.ts";

/** How much of a skill a model reads at its first turn, and what that costs. */
export interface SkillShown {
  readonly name: string;
  /** `name`: its name alone. `absent`: nothing, although it is listed. */
  readonly shown: "whole" | "cut" | "name" | "absent";
  readonly tokens: number;
}

/** What one client's model is told of the skills at its first turn. */
export interface ClientView extends Pick<ToolList, "instructions" | "complete"> {
  readonly client: string;
  /** What people call it; undefined for a client that is not known. */
  readonly title?: string;
  readonly budgets: { readonly description: number; readonly instructions: number };
  readonly tools: readonly ToolShown[];
  readonly skills: number;
  readonly shown: number;
  /** Roughly what a model counts: of the instructions, and of everything. */
  readonly tokens: { readonly instructions: number; readonly total: number };
  /** Where something is cut: how many skills come first, and why. */
  readonly first?: OrderedSkills["first"] & { readonly project: ProjectTopics };
  /** The names of skills that are left out, because the client reads them by itself. */
  readonly native: readonly string[];
  /** What is cut or left out, why, and what changes it. */
  readonly reasons: readonly Reason[];
}

interface ToolShown {
  readonly name: string;
  readonly description: string;
  /** Of the description, and of the schema of what it takes. */
  readonly tokens: { readonly description: number; readonly schema: number };
}

/** Everything that decides what a client is told. */
export interface ClientViewSettings extends ToolListSettings {
  readonly disabledByClient?: DisabledByClient | undefined;
  /** Whether the client reaches the server over the network. */
  readonly isRemote?: boolean;
}

export interface SkillsForClient {
  readonly view: ClientView;
  /** What files and flags call the agent. */
  readonly agent: string;
  /** Every skill that is listed, those that are shown first. */
  readonly skills: readonly SkillShown[];
  /** What the client has of each served skill, by the skill's real folder. */
  readonly cells: ReadonlyMap<string, SeenCell>;
  /** Whether a tool finds the skills of a library. */
  readonly findsLibrary: boolean;
}

/** What a client's model is told: the same for `doctor --client` and the dashboard. */
export function viewClient(
  current: Snapshot,
  client: ClientInfo,
  settings: ClientViewSettings,
  likelyUse: () => LikelyUse,
): SkillsForClient {
  const snapshot = withoutDisabled(current, settings.disabledByClient?.(client));
  const list = createToolList(settings, likelyUse)(snapshot, client, undefined, settings.isRemote);
  const traits = traitsFor(client, settings);
  const { listed, notListed } = listedSkills(snapshot, traits, settings.leaveOut ?? []);
  const { ordered } = list;
  const skills = skillsShown(ordered, list, settings);
  const tools = list.answer.tools.map(({ name, description = "", inputSchema }): ToolShown => {
    const tokens = { description: estimateTokens(description), schema: estimateTokens(json(inputSchema)) };
    return { name, description, tokens };
  });
  const instructions = estimateTokens(list.instructions);
  const total = tools.reduce((sum, { tokens }) => sum + tokens.description + tokens.schema, instructions);
  return {
    view: {
      client: client.version === undefined ? client.name : `${client.name} ${client.version}`,
      ...defined({ title: clientTitle(client.name) }),
      budgets: traits.budgets,
      instructions: list.instructions,
      tools,
      complete: list.complete,
      skills: listed.length,
      shown: list.shown.length,
      tokens: { instructions, total },
      ...(list.first === undefined ? {} : { first: { ...list.first, project: likelyUse().project } }),
      native: list.native.map(({ listedAs }) => listedAs),
      reasons: reasonsOf({
        ...{ client, traits, settings, skills, tools },
        notServed: [...snapshot.notServed, ...notListed],
      }),
    },
    agent: agentName(client.name),
    skills,
    cells: cellsOf([...snapshot.notServed, ...notListed], ordered, skills, list.searchable),
    findsLibrary: tools.some(({ name }) => LIBRARY_TOOLS.has(name)),
  };
}

const LIBRARY_TOOLS: ReadonlySet<string> = new Set(["get_skill", "list_skills", "find_skills"]);

/** What the client has of each served skill. */
function cellsOf(
  left: readonly (Snapshot["notServed"][number] | NotListed)[],
  ordered: readonly Entry[],
  skills: readonly SkillShown[],
  searchable: boolean,
): ReadonlyMap<string, SeenCell> {
  const cells = new Map<string, SeenCell>();
  for (const [index, { skill, rule }] of ordered.entries()) {
    const shown = skills[index]?.shown ?? "absent";
    const seen = shown !== "absent" ? shown : searchable ? "search" : "unlisted";
    const isRule = (seen === "whole" && rule === "always") || (seen === "name" && rule === "name-only");
    cells.set(skill.realDir, { seen, why: isRule ? "rule" : seen === "whole" ? "fits" : "budget" });
  }
  for (const one of left) {
    if (one.kind === "native") cells.set(one.entry.skill.realDir, { seen: "native", why: "native" });
    if (one.kind === "not-for-models")
      cells.set(one.entry.skill.realDir, { seen: "unlisted", why: "author" });
    if (one.kind === "manual") cells.set(one.entry.skill.realDir, { seen: "unlisted", why: "rule" });
    if (one.kind !== "disabled-for") continue;
    const { kind, name } = one.whom;
    const cell: SeenCell =
      kind === "agent" ? { seen: "hidden", why: "agent" } : { seen: "hidden", why: "profile", profile: name };
    cells.set(one.entry.skill.realDir, cell);
  }
  return cells;
}

function skillsShown(
  ordered: readonly Entry[],
  list: ToolList,
  { descriptionFormat }: Pick<ToolListSettings, "descriptionFormat">,
): readonly SkillShown[] {
  const format = descriptionFormat === "xml" ? xmlFormat : listFormat;
  const named = new Set(list.shown);
  const described = list.answer.tools.find(({ name }) => name === "skill")?.description ?? "";
  const texts = [described, list.instructions].map((text) => `\n${text}\n`);
  return ordered.map((entry): SkillShown => {
    const name = entry.listedAs;
    if (!named.has(entry)) return { name, shown: "absent", tokens: 0 };
    const whole = format.entry(entry);
    if (list.complete && described.includes(whole))
      return { name, shown: "whole", tokens: estimateTokens(whole) };
    const inFull = `\n${line(entry, entry.skill.description)}\n`;
    const start = `\n- ${oneLine(name)}: `;
    for (const text of texts) {
      if (text.includes(inFull)) return { name, shown: "whole", tokens: estimateTokens(inFull) };
      const from = text.indexOf(start);
      if (from < 0) continue;
      const end = text.indexOf("\n", from + 1);
      return { name, shown: "cut", tokens: estimateTokens(text.slice(from, end)) };
    }
    return { name, shown: "name", tokens: estimateTokens(`${name}, `) };
  });
}

function json(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value);
}
