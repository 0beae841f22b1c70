import { agentName, agentTitle, type ClientInfo, type ClientTraits, clientTitle, isKnown } from "#agents";
import { type NotListed, notServedAs, type Snapshot } from "#skills";
import type { ClientViewSettings, SkillShown } from "./client-view.ts";

/** Why a model does not read everything at its first turn, and what changes that. */
export interface Reason {
  readonly code:
    | "deferred"
    | "budget"
    | "native"
    | "disabled"
    | "author"
    | "rule"
    | "finder"
    | "files"
    | "answers"
    | "unknown";
  readonly text: string;
  /** What to do about it: a flag of the server or a command, and what it does. */
  readonly lever?: { readonly command: string; readonly does: string };
  /** The skills that it is about. */
  readonly skills?: readonly string[];
}

interface Told {
  readonly client: ClientInfo;
  readonly traits: ClientTraits;
  readonly settings: ClientViewSettings;
  readonly skills: readonly SkillShown[];
  readonly tools: readonly { readonly name: string }[];
  /** What the pipeline of visibility removed, or does not list. */
  readonly notServed: readonly (Snapshot["notServed"][number] | NotListed)[];
}

/** In the order of how much they leave out. */
export function reasonsOf(told: Told): readonly Reason[] {
  return [
    unknown(told),
    deferred(told),
    ...budget(told),
    native(told),
    disabled(told),
    author(told),
    manual(told),
    ...tools(told),
  ].filter((reason) => reason !== undefined);
}

function unknown({ client, traits }: Told): Reason | undefined {
  if (isKnown(client)) return undefined;
  const { description, instructions } = traits.budgets;
  return {
    code: "unknown",
    text: `Nobody has measured what ${clientTitle(client.name) ?? `'${client.name}'`} shows a model, so it gets what is safe everywhere: ${amount(description)} characters of description and ${amount(instructions)} of instructions.`,
    lever: {
      command: "--description-budget <characters>",
      does: "sets the limit if you know what this client shows",
    },
  };
}

function deferred({ traits: { title, firstLineLimit, shownBy } }: Told): Reason | undefined {
  if (shownBy === undefined) return undefined;
  return {
    code: "deferred",
    text: `Unless ${title} is told to show the tools at once, a model reads no more than the first line of the instructions, up to ${firstLineLimit} characters, until it looks for a tool.`,
    lever: {
      command: shownBy,
      does: `in the entry of the server shows everything at once; skills-mcp connect writes it`,
    },
  };
}

function budget({ traits, skills }: Told): readonly Reason[] {
  const of = (shown: SkillShown["shown"]): number => skills.filter((skill) => skill.shown === shown).length;
  const parts = [
    [of("cut"), "with its description cut", "with their descriptions cut"],
    [of("name"), "by its name alone", "by their names alone"],
    [of("absent"), "not at all", "not at all"],
  ] as const;
  const said = parts.filter(([count]) => count > 0);
  if (said.length === 0) return [];
  const list = said.map(([count, one, many]) => `${amount(count)} ${count === 1 ? one : many}`).join(", ");
  const { description, instructions } = traits.budgets;
  const budgets = traits.listIn.includes("instructions")
    ? `${amount(description)} characters of description and ${amount(instructions)} of instructions`
    : `${amount(description)} characters of description`;
  return [
    {
      code: "budget",
      text: `Of ${skill(skills.length)}, the model reads ${list}: the list has room for ${budgets} in ${traits.title}.`,
      lever: {
        command: "--description-budget <characters>",
        does: "sets another limit; what a client cuts off is lost all the same",
      },
    },
  ];
}

/** The names of the skills that are not shown for this reason. */
function namesOf(
  { notServed }: Told,
  kind: "native" | "disabled-for" | "not-for-models" | "manual",
): readonly string[] {
  return notServedAs(notServed, kind).map(({ entry }) => entry.listedAs);
}

function native(told: Told): Reason | undefined {
  const { traits } = told;
  const names = namesOf(told, "native");
  if (names.length === 0) return undefined;
  return {
    code: "native",
    text: `${areSkills(names.length)} left out, because ${traits.title} reads ${them(names)} from disk.`,
    lever: { command: "--include-native", does: `lists ${them(names)} too` },
    skills: names,
  };
}

function disabled(told: Told): Reason | undefined {
  const { client } = told;
  const names = namesOf(told, "disabled-for");
  const [name] = names;
  if (name === undefined) return undefined;
  return {
    code: "disabled",
    text: `${areSkills(names.length)} disabled for ${agentTitle(client.name)}, or in the profile.`,
    lever: {
      command: `skills-mcp enable ${names.length === 1 ? name : "<name>"} --agent ${agentName(client.name)}`,
      does: "enables a skill for this agent again",
    },
    skills: names,
  };
}

function author(told: Told): Reason | undefined {
  const kept = namesOf(told, "not-for-models");
  if (kept.length === 0) return undefined;
  return {
    code: "author",
    text: `${areSkills(kept.length)} kept from models by ${kept.length === 1 ? "its author" : "their authors"}; people can still call ${them(kept)}.`,
    lever: {
      command: "disable-model-invocation: false",
      does: "in the front matter of the skill shows it to models",
    },
    skills: kept,
  };
}

function manual(told: Told): Reason | undefined {
  const names = namesOf(told, "manual");
  if (names.length === 0) return undefined;
  return {
    code: "rule",
    text: `${areSkills(names.length)} listed nowhere, because a rule of the operator says so; ${names.length === 1 ? "it loads by its name" : "they load by their names"}.`,
    lever: { command: "visibility.manual", does: "in config.yaml, or the dashboard, has the rule" },
    skills: names,
  };
}

function tools({ tools: listed, settings, traits }: Told): readonly (Reason | undefined)[] {
  const has = (name: string): boolean => listed.some((tool) => tool.name === name);
  const { auto } = settings.tools;
  const { answerLimit } = traits;
  return [
    !auto.includes("find_skills")
      ? undefined
      : has("find_skills")
        ? {
            code: "finder",
            text: "find_skills is among the tools, because not every skill is listed with its whole description.",
            lever: { command: "--tools loader", does: "leaves it out" },
          }
        : {
            code: "finder",
            text: "find_skills is not among the tools, because every skill is listed with its whole description.",
            lever: { command: "--tools loader,finder", does: "adds it" },
          },
    !auto.includes("read_skill_file") || has("read_skill_file")
      ? undefined
      : {
          code: "files",
          text: traits.opensFiles
            ? `read_skill_file is not among the tools: a model in ${traits.title} can open the files of a skill by itself.`
            : "read_skill_file is not among the tools: no skill has other files.",
          lever: { command: "--tools loader,finder,read_skill_file", does: "adds it" },
        },
    answerLimit === undefined
      ? undefined
      : {
          code: "answers",
          text: `${traits.title} cuts the answer of a tool at ${amount(answerLimit.count)} ${answerLimit.unit === "json" ? "characters of JSON" : answerLimit.unit}, so a longer skill is served in parts.`,
        },
  ];
}

function skill(count: number): string {
  return `${amount(count)} ${count === 1 ? "skill" : "skills"}`;
}

function them(names: readonly string[]): string {
  return names.length === 1 ? "it" : "them";
}

function areSkills(count: number): string {
  return `${skill(count)} ${count === 1 ? "is" : "are"}`;
}

function amount(value: number): string {
  return value.toLocaleString("en-US");
}
