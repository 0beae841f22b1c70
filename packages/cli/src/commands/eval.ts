import { stat } from "node:fs/promises";
import path from "node:path";
import { agentCalled } from "#agents";
import { SKILL_TEMPLATE } from "#check";
import type { EvalCorpus } from "#search";
import { AGENT_NAMES, type Comparison, compareWith, evaluateSkills, readCorpus, runAgent } from "#search";
import { compose, type Services } from "#server";
import type { Snapshot } from "#skills";
import { withFoldersAt } from "#sources";
import type { Log } from "#util";
import { homeFolder } from "#util";
import { Refusal } from "#util/pure";
import { changePrompt, PROMPT_FLAGS, promptChange } from "../change-prompt.ts";
import { defineCommand, printJson, type Terminal } from "../command.ts";
import { defaultPaths } from "../default-paths.ts";
import { badUsage, type FlagValues, flag } from "../flags.ts";
import { nothingLeft } from "../nothing-left.ts";
import { withSkillView } from "../open-view.ts";
import { renderEmptyView } from "../render/empty-view.ts";
import { agentLine, renderAgentRun } from "../render/eval/agent-run.ts";
import { evalJson, renderEvalGithub } from "../render/eval/formats.ts";
import { isBelow, renderEvaluation, type Thresholds } from "../render/eval/report.ts";
import { printable } from "../render/text.ts";
import { JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";
import { logDiagnostics } from "../terminal-log.ts";

const FLAGS = {
  skill: flag.list("<name>", "only the prompts of these skills (repeatable)", { short: "s" }),
  threshold: flag.number(
    "<percent>",
    [0, 100],
    "exit 1 when fewer prompts pass: their skill is first and a good match, or is not found where it should not be",
  ),
  "threshold-top5": flag.number("<percent>", [0, 100], "exit 1 when fewer prompts find it in the top 5"),
  suggest: flag.switch("propose words that separate two skills that collide"),
  diff: flag.text("<git ref>", "compare with the skills as a commit has them, such as main or HEAD~1"),
  run: flag.choice(
    AGENT_NAMES,
    "give the prompts to this agent, with its model, and count the skills it loads",
    { means: (typed) => agentCalled(typed)?.id },
  ),
  limit: flag.number("<n>", [1, 100_000], "with --run: maximum number of prompts"),
  ...PROMPT_FLAGS,
  format: flag.choice(["text", "json", "github"], "how to print the result (default text)"),
  ...JSON_FLAG,
  ...VIEW_FLAGS,
};

type EvalFlags = FlagValues<typeof FLAGS>;

/** `skills-mcp eval [path…]`: do the prompts that authors wrote find their skills? Exit 1 below a threshold. */
export const command = defineCommand({
  name: "eval",
  usage: "[path…]",
  summary: "check that the test prompts of each skill find it",
  order: 260,
  bundle: "manage",
  examples: ["eval", "eval ./skills --threshold 90"],
  flags: FLAGS,
  takes: "any",
  async run({ given, named, positionals, terminal, log }) {
    const change = promptChange(given);
    refuseCombinations(given, named, positionals);
    const folders = await foldersOf(positionals, named);
    if (change !== undefined) {
      const apply = ({ page }: Pick<Services, "page">): Promise<number> =>
        changePrompt(page, change, terminal, given.json);
      // The skill is looked for in the project first, then among all that are served.
      const isHere = (
        services: Pick<Services, "page">,
        { catalog }: Snapshot,
      ): Promise<number> | undefined =>
        positionals.length > 0 || catalog.entries.some(({ skill }) => skill.name === change.skill)
          ? apply(services)
          : undefined;
      const done = folders === undefined ? undefined : await withFolders(folders, undefined, isHere);
      return done ?? withSkillView(given, log, apply);
    }
    if (folders === undefined)
      return withSkillView(given, log, async (services, snapshot) => {
        logDiagnostics(snapshot.diagnostics, log, { terminal });
        return report(await readCorpus(services.search, snapshot), undefined, {
          given,
          terminal,
          folders: [],
          leftNothing: await nothingLeft(services),
        });
      });
    return withCorpus(folders, log, async (corpus) => {
      const compare = given.diff === undefined ? undefined : comparisonWith(given.diff, folders);
      return report(corpus, compare, { given, terminal, folders });
    });
  },
});

type Compare = (now: EvalCorpus, results: Parameters<typeof compareWith>[3]) => Promise<Comparison>;

function comparisonWith(ref: string, folders: readonly string[]): Compare {
  return (now, results) =>
    withFoldersAt(ref, folders, (copies) =>
      withCorpus(copies, undefined, (before) => compareWith(ref, before, now, results)),
    );
}

async function report(
  corpus: EvalCorpus,
  compare: Compare | undefined,
  {
    given,
    terminal,
    folders,
    leftNothing,
  }: {
    readonly given: EvalFlags;
    readonly terminal: Terminal;
    readonly folders: readonly string[];
    readonly leftNothing?: string | undefined;
  },
): Promise<number> {
  const only = given.skill.flatMap((names) => names.split(","));
  const unknown = only.find((name) => !corpus.skills.some((skill) => skill.name === name));
  if (unknown !== undefined) throw badUsage("--skill", `--skill: there is no skill '${unknown}' here.`);
  const format = given.json ? "json" : (given.format ?? "text");
  const templates = templatesIn(corpus, only);
  for (const { name, file } of templates)
    terminal.logLine(
      `skills-mcp: ${printable(name)} (${printable(file)}) is still the template that skills-mcp new wrote, so its prompts prove nothing. Write its description and prompts.`,
    );
  if (given.run !== undefined) {
    const limit = given.limit ?? Number.MAX_SAFE_INTEGER;
    const ran = await runAgent(given.run, corpus, { only, limit }, (result, number, all) => {
      if (format === "text") terminal.logLine(agentLine(result, number, all));
    });
    if (format === "json") printJson(terminal, { agent: given.run, results: ran });
    else terminal.print(renderAgentRun(given.run, ran, terminal));
    const share = ran.filter(({ passed }) => passed).length / Math.max(ran.length, 1);
    return share * 100 < (given.threshold ?? 0) || templates.length > 0 ? 1 : 0;
  }
  const evaluation = await evaluateSkills(corpus, { only, suggest: given.suggest });
  const results = evaluation.skills.flatMap((skill) => skill.results);
  const comparison = await compare?.(corpus, results);
  const thresholds: Thresholds = { passed: given.threshold, top5: given["threshold-top5"] };
  const shown = { evaluation, comparison, thresholds, cwd: process.cwd() };
  if (format === "json") printJson(terminal, evalJson(shown));
  else if (format === "github") terminal.print(renderEvalGithub(shown));
  else if (evaluation.names.size === 0) terminal.print(renderEmptyView(given, terminal.width, leftNothing));
  else terminal.print(renderEvaluation({ ...shown, folders }, terminal));
  return isBelow(evaluation.totals, thresholds) || templates.length > 0 ? 1 : 0;
}

/** The skills whose description or prompts nobody has written yet. */
function templatesIn({ skills }: EvalCorpus, only: readonly string[]): EvalCorpus["skills"] {
  return skills.filter(
    ({ name, document, cases }) =>
      (only.length === 0 || only.includes(name)) &&
      (SKILL_TEMPLATE.isIn(document.description) || cases.some(({ prompt }) => SKILL_TEMPLATE.isIn(prompt))),
  );
}

/** The folders whose skills are evaluated; undefined to evaluate everything that is served. */
async function foldersOf(
  positionals: readonly string[],
  named: ReadonlySet<string>,
): Promise<readonly string[] | undefined> {
  if (positionals.length > 0) return Promise.all(positionals.map(existingFolder));
  if (Object.keys(VIEW_FLAGS).some((name) => named.has(name))) return undefined;
  const found = await defaultPaths(process.cwd(), homeFolder());
  return found.length > 0 ? found : undefined;
}

async function existingFolder(given: string): Promise<string> {
  const folder = path.resolve(given);
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory() === true) return folder;
  const why = found === undefined ? "does not exist" : "is not a folder";
  throw badUsage("<path>", `eval: '${given}' ${why}. Name a skill or a folder of skills.`);
}

function withCorpus<T>(
  folders: readonly string[],
  log: Log | undefined,
  use: (corpus: EvalCorpus) => Promise<T>,
): Promise<T> {
  return withFolders(folders, log, async (services, snapshot) =>
    use(await readCorpus(services.search, snapshot)),
  );
}

/** What is done with the skills in some folders. */
type FolderUser<T> = (services: Services, snapshot: Snapshot) => T | Promise<T>;

/** Opens the skills of these folders and no others, and closes them after `use`. */
async function withFolders<T>(
  folders: readonly string[],
  log: Log | undefined,
  use: FolderUser<T>,
): Promise<T> {
  const { services, close } = compose({
    folders: { first: folders, defaults: false },
    plugins: { skip: true },
  });
  try {
    const snapshot = await services.skills.snapshot();
    if (log !== undefined) logDiagnostics(snapshot.diagnostics, log);
    if (log !== undefined && snapshot.catalog.entries.length === 0)
      throw new Refusal(
        `There are no skills in ${folders.join(", ")}. Name another folder: skills-mcp eval <path>.`,
        {
          code: "bad-usage",
        },
      );
    return await use(services, snapshot);
  } finally {
    await close();
  }
}

function refuseCombinations(
  { json, format, run, limit, diff, suggest }: EvalFlags,
  named: ReadonlySet<string>,
  positionals: readonly string[],
): void {
  if (json && format !== undefined && format !== "json")
    throw badUsage("--json", `--json and --format ${format} contradict each other: pass one of them.`);
  if (limit !== undefined && run === undefined) throw badUsage("--limit", "--limit needs --run.");
  if (run !== undefined && (diff !== undefined || suggest))
    throw badUsage("--run", "--run cannot be combined with --diff or --suggest.");
  const view = Object.keys(VIEW_FLAGS).find((name) => named.has(name));
  if (view !== undefined && positionals.length > 0)
    throw badUsage(`--${view}`, `--${view} is for all skills that are served: leave it out, or the path.`);
  if (view !== undefined && diff !== undefined)
    throw badUsage(
      "--diff",
      "--diff compares folders of a repository: skills-mcp eval ./skills --diff main.",
    );
}
