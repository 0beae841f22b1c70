import { type Applied, applyStep, type ownProgram, type StepFor, surroundingsOf } from "#agents";
import type { Terminal } from "./command.ts";
import { type Flags, type FlagValues, flag } from "./flags.ts";
import { copiedLine, renderPlan } from "./render/connect-plan.ts";
import { count } from "./render/text.ts";
import { JSON_FLAG, userFolder, YES_FLAG } from "./shared-flags.ts";

/** The flags of every command that changes the configuration of agents. */
export const CHANGE_FLAGS = {
  scope: flag.choice(["user", "project"], "the user's configuration (default) or that of this project"),
  "dry-run": flag.switch("show the changes without making them"),
  ...YES_FLAG,
  "user-dir": flag.text("<dir>", "use instead of the home folder"),
  ...JSON_FLAG,
} satisfies Flags;

type ChangeFlags = FlagValues<typeof CHANGE_FLAGS>;

export function surroundingsFor(given: Pick<ChangeFlags, "user-dir">): ReturnType<typeof surroundingsOf> {
  return surroundingsOf(given["user-dir"] === undefined ? undefined : userFolder(given["user-dir"]));
}

type ProgramCopy = ReturnType<ReturnType<typeof ownProgram>["kept"]>["copy"];

interface PlannedChange<T> {
  readonly steps: readonly StepFor<T>[];
  /** Plans an agent again whose file was written by the agent itself meanwhile. */
  readonly replan: (agent: T) => Promise<StepFor<T>>;
  /** As in `Change 2 files to connect?` */
  readonly purpose: string;
  /** True: people named the agents, so that nothing is asked. */
  readonly isNamed: boolean;
  /** The sentence that is printed for a file that needs no change. */
  readonly words?: Parameters<typeof renderPlan>[3];
  /** The copy of this program that the files name: it is made before the first of them is changed. */
  readonly copy?: ProgramCopy;
  /** What the step of an agent becomes whose file was changed for another agent. */
  readonly repeated?: (step: StepFor<T>) => StepFor<T>;
}

interface ChangeResult<T> {
  /** What was decided; "unasked" where nobody can answer, "none" where nothing is to be changed. */
  readonly decision: "none" | "apply" | "dry-run" | "decline" | "unasked";
  readonly applied: readonly Applied<T>[];
}

/** Shows a plan, asks if nobody said which agents, and applies it. */
export async function applyPlan<T extends { readonly id: string; readonly title: string }>(
  { steps, replan, purpose, isNamed, words, repeated, copy }: PlannedChange<T>,
  given: ChangeFlags,
  terminal: Terminal,
): Promise<ChangeResult<T>> {
  const surroundings = surroundingsFor(given);
  const changes = steps.filter(({ action }) => action !== "none" && action !== "refuse").length;
  if (!given.json) terminal.print(renderPlan(steps, surroundings.home, terminal, words));
  const decision = await decide();
  if (copy !== undefined && (decision === "apply" || decision === "none") && (await copy.make()))
    terminal.logLine(copiedLine(copy.folder, surroundings.home));
  if (decision !== "apply") {
    if (!given.json && (decision === "decline" || decision === "dry-run"))
      terminal.print(`\nNothing was changed${decision === "dry-run" ? " (--dry-run)" : ""}.\n`);
    return { decision, applied: steps.map((step) => ({ step })) };
  }
  const applied: Applied<T>[] = [];
  // One after the other: each adds to the same record, and two agents may share a file.
  for (const step of steps) {
    const isRepeated = applied.some((one) => one.step.file === step.file && one.step.action !== "refuse");
    applied.push(
      isRepeated && repeated
        ? { step: repeated(step) }
        : await applyStep(step, surroundings, () => replan(step.agent)),
    );
  }
  return { decision, applied };

  async function decide(): Promise<ChangeResult<T>["decision"]> {
    if (changes === 0) return "none";
    if (given["dry-run"]) return "dry-run";
    if (isNamed || given.yes) return "apply";
    // With `--json` nothing is asked: a question would not be JSON.
    if (terminal.ask === undefined || given.json) return "unasked";
    const answer = await terminal.ask(`\nChange ${count(changes, "file")} to ${purpose}? [y/N] `);
    return /^y(?:es)?$/i.test(answer.trim()) ? "apply" : "decline";
  }
}
