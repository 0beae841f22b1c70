import type { Snapshot } from "#skills";
import { commandText, memoizeWeak } from "#util/pure";
import type { SeenAs } from "../../wire/seen.ts";
import type { SkillsForClient } from "./client-view.ts";
import { foundSkills, type SkillFinding, skillFile } from "./found-skills.ts";
import type { Reason } from "./reasons.ts";

/** Why it is so; what is true of a skill for every client is the kind of its finding. */
type SeenWhy =
  | ("fits" | "rule" | "budget" | "native" | "author" | "library" | "agent" | "profile")
  | Exclude<SkillFinding["kind"], "served" | "library">;

/** What one client has of one skill. */
export interface SeenCell {
  readonly seen: SeenAs;
  readonly why: SeenWhy;
  /** The profile that leaves it out. */
  readonly profile?: string;
}

/** What one client has of everything that was found, in that order. */
export const seenBy = memoizeWeak((told: SkillsForClient) =>
  memoizeWeak((snapshot: Snapshot): readonly SeenCell[] =>
    foundSkills(snapshot).map((found): SeenCell => {
      if (found.kind === "library")
        return { seen: told.findsLibrary ? "search" : "unlisted", why: "library" };
      if (found.kind !== "served") return { seen: "hidden", why: found.kind };
      return told.cells.get(found.entry.skill.realDir) ?? { seen: "hidden", why: "profile" };
    }),
  ),
);

/** What the dashboard can do about it with one click. */
type LeverAction = "always" | "usual" | "enable" | "enable-for-agent" | "review" | "repair" | "open";

/** What changes what a client has of a skill: a flag, a setting or a command. */
interface SeenLever extends NonNullable<Reason["lever"]> {
  readonly action?: LeverAction;
  /** The file of another skill that it is about. */
  readonly file?: string;
}

/** The answer to "why does this agent see this skill so?" */
interface SeenReason {
  /** One sentence. */
  readonly text: string;
  /** The best one first; none where nothing keeps the skill back. */
  readonly levers: readonly SeenLever[];
}

/** Clients that have the same of a skill for the same reason. */
export interface SeenAlike {
  /** What people call them. */
  readonly titles: readonly string[];
  readonly cell: SeenCell;
  /** What the first one is told. */
  readonly told: SkillsForClient;
}

/** Says in one sentence what some clients have of a skill and why, and what changes that. */
export function explainSeen(found: SkillFinding, alike: SeenAlike): SeenReason {
  const { cell } = alike;
  if (found.kind !== "served" && found.kind !== "library") {
    const { because, levers } = whyHidden(found);
    return { text: `No agent sees ${found.name}, because ${because}.`, levers };
  }
  const { name } = found;
  const { titles, told } = alike;
  const who = joined(titles);
  const one = titles.length === 1;
  const see = one ? "sees" : "see";
  const not = one ? "does not" : "do not";
  switch (cell.why) {
    case "fits":
      return { text: `${who} ${see} ${name} with its whole description at turn 1.`, levers: [] };
    case "rule":
      return {
        text: `${ruleText(cell.seen, { who, see, not, name })}, because a rule of the operator says so.`,
        levers: [
          { command: "visibility", does: "in config.yaml or the dashboard has the rule", action: "usual" },
        ],
      };
    case "native":
      return {
        text: `${who} ${one ? "reads" : "read"} ${name} from disk, so skills-mcp does not list it again.`,
        levers: [{ command: "--include-native", does: "lists it all the same" }],
      };
    case "author":
      return {
        text: `${who} ${not} list ${name}, because its author keeps it from models; it loads by its exact name.`,
        levers: [
          { command: "disable-model-invocation: false", does: "in its front matter shows it to models" },
        ],
      };
    case "library":
      return cell.seen === "search"
        ? { text: `${who} ${one ? "finds" : "find"} ${name} with the tools of the library.`, levers: [] }
        : {
            text: `${who} ${not} find ${name}, because the tools of the library are off.`,
            levers: [{ command: "--tools loader,finder,library", does: "adds them" }],
          };
    case "agent":
      return {
        text: `${who} ${not} see ${name}, because it is disabled for ${one ? who : "each of them"}.`,
        levers: [
          {
            command: commandText(["enable", name, "--agent", told.agent]),
            does: "enables it again",
            action: "enable-for-agent",
          },
        ],
      };
    case "profile":
      return {
        text: `${who} ${not} see ${name}, because the profile '${cell.profile ?? ""}' leaves it out.`,
        levers: [
          { command: `profiles.${cell.profile ?? ""}`, does: "in config.yaml decides what it serves" },
        ],
      };
    default:
      return {
        text: `${budgetText(alike, { who, see, not, name })}.`,
        levers: [
          {
            command: `visibility.always: ["${name} for ${told.agent}"]`,
            does: "in config.yaml lists it first, with its whole description",
            action: "always",
          },
          {
            command: "--description-budget <characters>",
            does: "sets another limit; what a client cuts off is lost all the same",
          },
        ],
      };
  }
}

function ruleText(
  seen: SeenAs,
  { who, see, not, name }: Readonly<Record<"who" | "see" | "not" | "name", string>>,
): string {
  if (seen === "whole") return `${who} ${see} ${name} before all others, with its whole description`;
  if (seen === "name") return `${who} ${see} only the name of ${name} at turn 1`;
  return `${who} ${not} list ${name}, which loads by its exact name`;
}

function budgetText(
  { titles, cell: { seen }, told: { view } }: SeenAlike,
  { who, see, not, name }: Readonly<Record<"who" | "see" | "not" | "name", string>>,
): string {
  const { description } = view.budgets;
  const room =
    titles.length === 1
      ? `its list has room for ${description.toLocaleString("en-US")} characters and ${view.skills} skills share it`
      : "their lists have no room for more";
  if (seen === "cut") return `${who} ${see} ${name} with its description cut at turn 1, because ${room}`;
  if (seen === "name") return `${who} ${see} only the name of ${name} at turn 1, because ${room}`;
  const way = seen === "search" ? "find_skills finds it" : "it loads by its exact name";
  return `${who} ${not} list ${name} at turn 1, because ${room}; ${way}`;
}

/** Why no client is served it. */
function whyHidden(found: Exclude<SkillFinding, { readonly kind: "served" | "library" }>): {
  readonly because: string;
  readonly levers: readonly SeenLever[];
} {
  const { name } = found;
  switch (found.kind) {
    case "disabled":
      return {
        because: "it is disabled",
        levers: [{ command: commandText(["enable", name]), does: "enables it", action: "enable" }],
      };
    case "shadowed": {
      const file = skillFile(found.by.skill);
      return {
        because: `another skill of this name comes first: ${found.by.skill.dir}`,
        levers: [
          {
            command: "name",
            does: "in the front matter of one of them tells them apart",
            action: "open",
            file,
          },
        ],
      };
    }
    case "broken":
      return {
        because: `its file cannot be read as a skill: ${firstSentence(found.problem.message)}`,
        levers: [
          {
            command: commandText(["validate", "--fix", found.problem.file]),
            does: "corrects what can be corrected",
            action: "repair",
          },
        ],
      };
    case "filtered":
      return found.token === undefined
        ? {
            because: "a filter leaves it out",
            levers: [{ command: commandText(["--include", name]), does: "serves it too" }],
          }
        : {
            because: `the filter '${tokenText(found.token)}' excludes it`,
            levers: [{ command: `--exclude ${tokenText(found.token)}`, does: "is what to leave away" }],
          };
    default:
      return found.review.level === "block"
        ? { because: `the rule ${found.review.rule} blocks it`, levers: [] }
        : {
            because: `it waits for an approval (rule ${found.review.rule})`,
            levers: [{ command: commandText(["approve", name]), does: "approves it", action: "review" }],
          };
  }
}

function firstSentence(text: string): string {
  return text.replace(/\.(?:\s.*)?$/s, "");
}

function tokenText(
  token: NonNullable<Extract<SkillFinding, { readonly kind: "filtered" }>["token"]>,
): string {
  if (token.kind === "name") return token.glob;
  const before =
    token.kind === "provider" ? token.provider : `@${token.plugin === "*" ? "plugins" : token.plugin}`;
  return token.glob === "*" ? before : `${before}:${token.glob}`;
}

/** `Codex`, `Codex and Cursor`, `Codex, Cursor and Zed` */
function joined(titles: readonly string[]): string {
  const last = titles.at(-1) ?? "";
  return titles.length < 2 ? last : `${titles.slice(0, -1).join(", ")} and ${last}`;
}
