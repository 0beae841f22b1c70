import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createGitRunner, isRefName, SyncFailure } from "#sources";
import { createTimeSlices, runSteps } from "#util";
import { Refusal } from "#util/pure";
import { type CaseResult, type EvalCorpus, type EvalSkill, evaluateCases } from "../engine/evals/evaluate.ts";

/** One prompt of now, with the texts of before and of now. */
export interface ChangedCase {
  readonly name: string;
  readonly prompt: string;
  readonly shouldTrigger: boolean;
  readonly before: CaseOutcome;
  readonly after: CaseOutcome;
}

type CaseOutcome = Pick<CaseResult, "rank" | "isAboveFloor" | "passed">;

export interface Comparison {
  readonly ref: string;
  /** Prompts of skills that both have. */
  readonly compared: number;
  readonly better: readonly ChangedCase[];
  readonly worse: readonly ChangedCase[];
  /** Skills that are new since then: nothing to compare. */
  readonly added: readonly string[];
}

/** Ranks the prompts of now with the texts of before: what did the changed descriptions do? */
export async function compareWith(
  ref: string,
  before: EvalCorpus,
  now: EvalCorpus,
  results: readonly CaseResult[],
): Promise<Comparison> {
  const old = new Map(before.skills.map((skill) => [skill.name, skill]));
  const wanted = new Set(results.map(({ skill }) => skill));
  const skills = now.skills.filter(({ document }) => wanted.has(document.id));
  const pairs = skills.flatMap((skill): readonly EvalSkill[] => {
    const earlier = old.get(skill.name);
    return earlier === undefined ? [] : [{ ...earlier, cases: skill.cases }];
  });
  const earlier = await runSteps(evaluateCases(before, pairs), createTimeSlices());
  const names = new Map(now.skills.map(({ name, document }) => [document.id, name]));
  const after = new Map(results.map((result) => [keyOf(names.get(result.skill) ?? "", result), result]));
  const oldNames = new Map(before.skills.map(({ name, document }) => [document.id, name]));
  const changed = earlier.flatMap((result): readonly ChangedCase[] => {
    const name = oldNames.get(result.skill) ?? "";
    const current = after.get(keyOf(name, result));
    if (current === undefined) return [];
    const { prompt, shouldTrigger } = result;
    return [{ name, prompt, shouldTrigger, before: outcomeOf(result), after: outcomeOf(current) }];
  });
  return {
    ref,
    compared: changed.length,
    better: changed.filter((one) => change(one) > 0),
    worse: changed.filter((one) => change(one) < 0),
    added: skills.filter(({ name }) => !old.has(name)).map(({ name }) => name),
  };
}

function keyOf(name: string, { prompt, shouldTrigger }: CaseResult): string {
  return `${name}\0${shouldTrigger}\0${prompt}`;
}

function outcomeOf({ rank, isAboveFloor, passed }: CaseResult): CaseOutcome {
  return { rank, isAboveFloor, passed };
}

/** Above 0 for a prompt that does better now. */
function change({ shouldTrigger, before, after }: ChangedCase): number {
  if (before.passed !== after.passed) return after.passed ? 1 : -1;
  if (!shouldTrigger) return 0;
  return (before.rank ?? Number.MAX_SAFE_INTEGER) - (after.rank ?? Number.MAX_SAFE_INTEGER);
}

const LIMIT_MS = 60_000;

/** Without settings that would run something: a plain copy of files needs none of them. */
const QUIET = {
  GIT_OPTIONAL_LOCKS: "0",
  GIT_CONFIG_COUNT: "3",
  ...{ GIT_CONFIG_KEY_0: "core.hooksPath", GIT_CONFIG_VALUE_0: "/dev/null" },
  ...{ GIT_CONFIG_KEY_1: "core.fsmonitor", GIT_CONFIG_VALUE_1: "false" },
  ...{ GIT_CONFIG_KEY_2: "protocol.allow", GIT_CONFIG_VALUE_2: "never" },
};

/**
 * Hands the folders over as a commit of their repository has them, in a temporary folder that is removed afterwards. Neither
 * the working tree nor the index of the repository is touched.
 */
export async function withFoldersAt<T>(
  ref: string,
  folders: readonly string[],
  use: (folders: readonly string[]) => Promise<T>,
): Promise<T> {
  if (!isRef(ref)) throw badRef(`--diff takes a commit, a branch or a tag of git, not '${ref}'.`);
  const temporary = await realpath(await mkdtemp(path.join(tmpdir(), "skills-mcp-eval-")));
  try {
    const copies: string[] = [];
    for (const [number, folder] of folders.entries()) {
      copies.push(await copyFolder(ref, await realpath(folder), path.join(temporary, String(number))));
    }
    return await use(copies);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** `HEAD~1`, `main@{1}` and the like as well; nothing that git would take for an option. */
function isRef(ref: string): boolean {
  return isRefName(ref) || /^[A-Za-z0-9][\w./~^@{}-]*$/.test(ref);
}

async function copyFolder(ref: string, folder: string, target: string): Promise<string> {
  const git = createGitRunner({ shown: folder, hasToken: false, redact: (text) => text });
  const run = async (args: readonly string[], cwd: string, input?: Uint8Array): Promise<string> => {
    const environment = { ...process.env, ...QUIET, GIT_INDEX_FILE: `${target}.index` };
    const command = { args, environment, cwd, timeoutMs: LIMIT_MS, input };
    return (await git.run(command)).toString("utf8");
  };
  const ask = (question: string, args: readonly string[], cwd: string): Promise<string> =>
    run(["rev-parse", ...args], cwd).then(
      (answer) => answer.trimEnd(),
      (error: unknown) => {
        if (!(error instanceof SyncFailure) || error.code === "git-missing") throw error;
        throw badRef(`--diff: ${question}.`, error);
      },
    );
  try {
    const top = await realpath(
      await ask(`${folder} is not in a git repository`, ["--show-toplevel"], folder),
    );
    const verify = ["--verify", "--end-of-options", `${ref}^{commit}`];
    const commit = await ask(`the repository of ${folder} has no commit '${ref}'`, verify, top);
    await run(["read-tree", commit], top);
    const below = path.relative(top, folder).split(path.sep).join("/");
    const files = await run(["ls-files", "-z", ...(below === "" ? [] : ["--", below])], top);
    const prefix = `${target}/`;
    await run(["checkout-index", "-z", "--stdin", `--prefix=${prefix}`], top, Buffer.from(files));
    return path.join(target, below);
  } catch (error) {
    if (!(error instanceof SyncFailure)) throw error;
    throw badRef(`--diff: git cannot read '${ref}' for ${folder}: ${error.message}`, error);
  }
}

function badRef(message: string, cause?: unknown): Refusal {
  return new Refusal(message, { code: "bad-usage", flag: "--diff" }, { cause });
}
