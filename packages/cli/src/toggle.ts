import { agentName, requireAgent } from "#agents";
import { type DisabledFor, type Toggles, whomText } from "#skills";
import { type CommandInvocation, printJson } from "./command.ts";
import { badUsage, type Flags, flag } from "./flags.ts";
import { withSkillView } from "./open-view.ts";
import { printable } from "./render/text.ts";
import { JSON_FLAG, VIEW_FLAGS } from "./shared-flags.ts";

type Verb = "enable" | "disable";

export function toggleFlags(verb: Verb) {
  return {
    agent: flag.text("<agent>", `${verb} them for this agent alone, such as codex; no file is renamed`),
    ...JSON_FLAG,
    ...VIEW_FLAGS,
    profile: flag.text("<name>", `${verb} them in this profile alone; no file is renamed`),
  } satisfies Flags;
}

/** Enables or disables the named skills: for everyone by renaming their files, for one agent or profile in a list. */
export function toggle(
  verb: Verb,
  { given, named, positionals: names, terminal, log }: CommandInvocation<ReturnType<typeof toggleFlags>>,
): Promise<number> {
  // A profile that a settings file selects is a server's, and no reason to change it.
  const asked = oneOrEveryone(given.agent, named.has("profile") ? given.profile : undefined);
  // Without a profile: the view of a profile lacks the skills that are disabled in it.
  const everything = { ...given, profile: undefined, projectProfile: undefined };
  return withSkillView(everything, log, async (services) => {
    // What is recorded for an agent can be taken back, whatever it is called.
    const isRecorded =
      asked !== undefined && Object.hasOwn(services.toggles.disabledSets().agents, asked.name);
    const whom: DisabledFor | undefined =
      asked?.kind === "agent" && !isRecorded
        ? { kind: "agent", name: agentName(requireAgent(given.agent ?? "").id) }
        : asked;
    const print = (lines: readonly string[]): void => terminal.print(`${lines.map(printable).join("\n")}\n`);
    if (whom !== undefined) {
      const results = await services.toggles.toggleFor(names, whom, `${verb}d`);
      if (given.json) printJson(terminal, { [whom.kind]: whom.name, skills: results });
      else print(results.map((result) => lineFor(verb, whom, result)));
      return 0;
    }
    const results = await services.toggles.toggleAll(names, `${verb}d`);
    const [first] = results;
    if (given.json) printJson(terminal, results.length === 1 ? first : { skills: results });
    else print(results.flatMap((result, index) => linesFor(verb, names[index] ?? "", result)));
    return 0;
  });
}

/** The one agent or profile that skills are toggled for; undefined for everyone. */
function oneOrEveryone(agent: string | undefined, profile: string | undefined): DisabledFor | undefined {
  if (agent !== undefined && profile !== undefined)
    throw badUsage("--profile", "--agent and --profile cannot be combined: pass one of them.");
  if (agent !== undefined) return { kind: "agent", name: agentName(agent) };
  if (profile === undefined) return undefined;
  if (/^[\w.-]+$/.test(profile)) return { kind: "profile", name: profile };
  throw badUsage("--profile", `--profile takes letters, digits, '.', '_' and '-', not '${profile}'.`);
}

function lineFor(
  verb: Verb,
  whom: DisabledFor,
  { name, changed }: { readonly name: string; readonly changed: boolean },
): string {
  const forWhom = whomText(whom);
  if (!changed) return `${name} is already ${verb}d ${forWhom}.`;
  return `${verb === "enable" ? "Enabled" : "Disabled"} ${name} ${forWhom}.`;
}

function linesFor(
  verb: Verb,
  name: string,
  result: Awaited<ReturnType<Toggles["toggle"]>>,
): readonly string[] {
  const { changed, file, others = [] } = result;
  const done = changed
    ? `${verb === "enable" ? "Enabled" : "Disabled"} ${result.name}: the file is now ${file}.`
    : `${result.name} is already ${verb}d (${file}).`;
  const [first, second] = others;
  // After one was enabled, it does not matter that another of this name could be.
  if (first === undefined || (verb === "enable" && changed)) return [done];
  if (second !== undefined) {
    const all = others.map((other) => `${other.name} (${other.path})`).join(", ");
    return [done, `Other skills of this name are not ${verb}d: ${all}. Use the full name to ${verb} one.`];
  }
  const way = `To ${verb} it: skills-mcp ${verb} ${first.name}`;
  return verb === "disable"
    ? [done, `The name '${name}' still loads ${first.name} from ${first.path}. ${way}`]
    : [done, `${first.name} in ${first.path} is still disabled. ${way}`];
}
