import { printJson, type Terminal } from "./command.ts";
import { badUsage, type Flags, type FlagValues, flag } from "./flags.ts";
import { printable } from "./render/text.ts";

/** The flags of `eval` that change prompts instead of trying them. */
export const PROMPT_FLAGS = {
  "add-prompt": flag.text("<text>", "add this prompt to the evals of the skill named by --skill, and exit"),
  "remove-prompt": flag.text("<text>", "remove a prompt that was added with --add-prompt"),
  negative: flag.switch("the prompt that is added or removed must not find the skill"),
} satisfies Flags;

interface PromptChange {
  readonly verb: "add" | "remove";
  readonly skill: string;
  readonly query: string;
  readonly should_trigger: boolean;
}

/** The change that the flags ask for; undefined when they ask to try the prompts. */
export function promptChange(
  given: FlagValues<typeof PROMPT_FLAGS> & { readonly skill: readonly string[] },
): PromptChange | undefined {
  const { "add-prompt": added, "remove-prompt": removed, negative, skill } = given;
  if (added !== undefined && removed !== undefined)
    throw badUsage("--remove-prompt", "--add-prompt and --remove-prompt contradict each other.");
  const query = (added ?? removed)?.trim();
  if (query === undefined) {
    if (negative) throw badUsage("--negative", "--negative needs --add-prompt or --remove-prompt.");
    return undefined;
  }
  const flagName = added === undefined ? "--remove-prompt" : "--add-prompt";
  if (query === "") throw badUsage(flagName, `${flagName} takes the text of a prompt.`);
  const [name, another] = skill;
  if (name === undefined || another !== undefined)
    throw badUsage(flagName, `${flagName} needs one skill: --skill <name>.`);
  const verb = added === undefined ? "remove" : "add";
  return { verb, skill: name, query, should_trigger: !negative };
}

type ChangePrompt = (
  skill: string,
  prompt: Omit<PromptChange, "verb" | "skill">,
) => Promise<{ readonly file: string; readonly changed: boolean }>;

/** Changes the file of prompts beside a skill, and prints which file that is. */
export async function changePrompt(
  { addPrompt, removePrompt }: { readonly addPrompt: ChangePrompt; readonly removePrompt: ChangePrompt },
  { verb, skill, ...prompt }: PromptChange,
  terminal: Terminal,
  asJson: boolean,
): Promise<number> {
  const change = verb === "add" ? addPrompt : removePrompt;
  const { file, changed } = await change(skill, prompt);
  const done = verb === "add" ? `Added the prompt to ${file}.` : `Took the prompt out of ${file}.`;
  const already = verb === "add" ? `${file} has this prompt already.` : `${file} does not have this prompt.`;
  if (asJson) printJson(terminal, { file, changed });
  else terminal.print(`${printable(changed ? done : already)}\n`);
  return 0;
}
