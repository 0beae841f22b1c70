import { ALL_AGENTS } from "#agents";
import { errorCode, signalGroup, spawnGroup } from "#util";
import { isRecord, Refusal } from "#util/pure";
import type { EvalCase } from "../engine/evals/eval-cases.ts";
import type { EvalCorpus } from "../engine/evals/evaluate.ts";

/** The ids of the agents that can be started for one prompt. */
export const AGENT_NAMES: readonly string[] = ALL_AGENTS.flatMap(({ id, run }) =>
  run === undefined ? [] : [id],
);

/** What an agent did with one prompt. */
export interface AgentResult extends EvalCase {
  /** The name of the skill. */
  readonly name: string;
  readonly loaded: readonly string[];
  /** It loaded the skill, or did not where it should not. */
  readonly passed: boolean;
  /** Why it did not finish. */
  readonly problem?: string;
}

const LIMIT_MS = 5 * 60_000;
const LARGEST_OUTPUT = 64 * 1024 * 1024;

/**
 * Gives prompts to an agent that is installed, one after the other, as a user would in this folder. Its own settings decide
 * which model answers, and nothing is sent anywhere else.
 */
export async function runAgent(
  agent: string,
  { skills, leftOut }: EvalCorpus,
  { only, limit }: { readonly only: readonly string[]; readonly limit: number },
  onResult: (result: AgentResult, number: number, all: number) => void,
): Promise<readonly AgentResult[]> {
  const wanted = skills
    .filter(({ name, document }) => !leftOut.has(document.id) && (only.length === 0 || only.includes(name)))
    .flatMap(({ name, document, cases }) => cases.map((one) => ({ name, plain: document.name, one })))
    .slice(0, limit);
  const results: AgentResult[] = [];
  for (const { name, plain, one } of wanted) {
    const { output, problem } = await runOnce(agent, one.prompt);
    const loaded = loadedSkills(output);
    // An agent that reads the skill by itself has a name of its own for it.
    const isLoaded = loaded.some((found) => found === name || found === plain || found.endsWith(`:${plain}`));
    const passed = problem === undefined && isLoaded === one.shouldTrigger;
    const result = { ...one, name, loaded, passed, ...(problem === undefined ? {} : { problem }) };
    results.push(result);
    onResult(result, results.length, wanted.length);
  }
  return results;
}

async function runOnce(
  agent: string,
  prompt: string,
): Promise<{ readonly output: string; readonly problem?: string }> {
  const { program, args } = ALL_AGENTS.find(({ id }) => id === agent)?.run ?? {
    program: agent,
    args: () => [],
  };
  const child = spawnGroup(program, args(prompt), { env: process.env, stdio: ["ignore", "pipe", "pipe"] });
  const chunks: Buffer[] = [];
  let size = 0;
  let errors = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size <= LARGEST_OUTPUT) chunks.push(chunk);
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-2_000);
  });
  let problem: string | undefined;
  const timer = setTimeout(() => {
    problem = `it took longer than ${LIMIT_MS / 60_000} minutes`;
    if (child.pid !== undefined) signalGroup(child.pid, "SIGKILL");
  }, LIMIT_MS);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
    if (code !== 0)
      problem ??= `it ended with ${code ?? "a signal"}: ${errors.trim().split("\n").at(-1) ?? ""}`;
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    throw new Refusal(`'${program}' is not in PATH. Install ${agent}, or leave out --run.`, {
      code: "bad-usage",
      flag: "--run",
    });
  } finally {
    clearTimeout(timer);
  }
  const output = Buffer.concat(chunks).toString("utf8");
  return problem === undefined ? { output } : { output, problem };
}

/** What agents call the tools that load a skill: ours and their own. */
const SKILL_TOOL = /(?:^|[_.-])(?:skill|activate_skill)$/i;
const TOOL_KEYS = ["name", "tool", "tool_name"];
const ARGUMENT_KEYS = ["input", "arguments", "parameters", "args"];
const SKILL_KEYS = ["name", "skill", "skill_name", "command"];
const DEEPEST = 8;

/**
 * The names of the skills that an agent loaded, from its output as lines of JSON: calls of a tool that loads skills, and
 * commands that read a SKILL.md, which is how some agents load those that they find by themselves.
 */
export function loadedSkills(output: string): readonly string[] {
  const found = new Set<string>();
  for (const line of output.split("\n")) {
    if (!line.startsWith("{")) continue;
    try {
      collect(JSON.parse(line), found, 0);
    } catch {
      // A line that was cut, or no JSON at all.
    }
  }
  return [...found];
}

function collect(value: unknown, found: Set<string>, depth: number): void {
  if (depth > DEEPEST || typeof value !== "object" || value === null) return;
  if (isRecord(value)) {
    const tool = textAt(value, TOOL_KEYS);
    const input = ARGUMENT_KEYS.map((key) => value[key]).find(isRecord);
    const skill = input === undefined ? undefined : textAt(input, SKILL_KEYS);
    if (tool !== undefined && SKILL_TOOL.test(tool) && skill !== undefined)
      found.add(skill.replace(/^\//, ""));
    const command = value["type"] === "command_execution" ? value["command"] : undefined;
    if (typeof command === "string") {
      for (const [, name = ""] of command.matchAll(/([^\s/\\'"]+)[\\/]SKILL\.md/g)) found.add(name);
    }
  }
  for (const inner of Object.values(value)) collect(inner, found, depth + 1);
}

function textAt(value: Readonly<Record<string, unknown>>, keys: readonly string[]): string | undefined {
  const text = keys.map((key) => value[key]).find((one) => typeof one === "string" && one !== "");
  return typeof text === "string" ? text : undefined;
}
