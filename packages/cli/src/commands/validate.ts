import path from "node:path";
import { type FixedFile, fixFiles, ignoredRules, type ValidatedFile, validatePaths } from "#check";
import { homeFolder } from "#util";
import { defineCommand, printJson, type Terminal } from "../command.ts";
import { defaultPaths } from "../default-paths.ts";
import { badUsage, type FlagValues, flag } from "../flags.ts";
import { renderFixes } from "../render/validate/fixes.ts";
import { renderGithub, sarifOf } from "../render/validate/formats.ts";
import { renderValidation } from "../render/validate/report.ts";
import { JSON_FLAG } from "../shared-flags.ts";
import { watchPaths } from "../watch-paths.ts";

const FLAGS = {
  quiet: flag.switch("print errors only"),
  fix: flag.switch("correct what can be corrected without guessing, and show it as a diff"),
  "dry-run": flag.switch("with --fix: only show the diff"),
  format: flag.choice(["text", "json", "sarif", "github"], "how to print the findings (default text)"),
  watch: flag.switch("check again after each change, until interrupted"),
  ...JSON_FLAG,
};

/** `skills-mcp validate [<path>…]`: exit 1 when anything breaks the specification; advice alone is fine. */
export const command = defineCommand({
  name: "validate",
  usage: "[<path>…]",
  summary: "check skills and libraries for errors",
  order: 170,
  bundle: "commands",
  examples: ["validate", "validate ./skills --fix"],
  flags: FLAGS,
  takes: "any",
  async run({ given, positionals, terminal }) {
    refuseCombinations(given);
    if (positionals.includes(""))
      throw badUsage("<path>", "validate needs a path that is not empty: skills-mcp validate <path>….");
    const cwd = process.cwd();
    const paths = positionals.length === 0 ? await findPaths(cwd) : positionals;
    const session: ValidateRun = {
      given,
      cwd,
      paths,
      named: positionals.length > 0,
      terminal,
    };
    if (!given.watch) return isValid(print(session, await check(session))) ? 0 : 1;
    let last = "";
    return watchPaths(
      paths.map((each) => path.resolve(cwd, each)),
      async () => {
        const checked = await check(session);
        const text = JSON.stringify(checked);
        if (text === last) return;
        last = text;
        terminal.print(`${terminal.style.dim(`checked at ${new Date().toLocaleTimeString()}`)}\n`);
        print(session, checked);
      },
    );
  },
});

interface ValidateRun {
  readonly given: FlagValues<typeof FLAGS>;
  readonly cwd: string;
  readonly paths: readonly string[];
  /** The user named the paths. */
  readonly named: boolean;
  readonly terminal: Terminal;
}

interface Checked {
  readonly files: readonly ValidatedFile[];
  readonly fixed: readonly FixedFile[];
}

async function check({ given, cwd, paths }: ValidateRun): Promise<Checked> {
  const audit = { ignore: await ignoredRules(homeFolder()) };
  const files = await validatePaths(paths, cwd, audit);
  if (!given.fix) return { files, fixed: [] };
  const fixed = await fixFiles(files, { dryRun: given["dry-run"] });
  const isWritten = fixed.length > 0 && !given["dry-run"];
  return { files: isWritten ? await validatePaths(paths, cwd, audit) : files, fixed };
}

function print({ given, cwd, paths, named, terminal }: ValidateRun, { files, fixed }: Checked) {
  const format = given.json ? "json" : (given.format ?? "text");
  const shown = named ? {} : { paths: paths.map((each) => path.resolve(cwd, each)) };
  if (given.fix && format !== "json") {
    const text = renderFixes(fixed, { cwd, dryRun: given["dry-run"] }, terminal.style);
    // In the other formats, standard output is for programs, so the diffs go to standard error.
    if (format === "text") terminal.print(text);
    else for (const line of text.trimEnd().split("\n")) terminal.logLine(line);
  }
  if (format === "json") {
    const fixes = fixed.map(({ file, rules }) => ({ file, rules }));
    printJson(terminal, { valid: isValid(files), ...shown, files, ...(given.fix ? { fixed: fixes } : {}) });
  } else if (format === "sarif") printJson(terminal, sarifOf(files, cwd));
  else if (format === "github") terminal.print(renderGithub(files, cwd));
  else terminal.print(renderValidation(files, { cwd, quiet: given.quiet, ...shown }, terminal.style));
  return files;
}

function isValid(files: readonly ValidatedFile[]): boolean {
  return files.every(({ findings }) => findings.every(({ severity }) => severity !== "error"));
}

function refuseCombinations({ json, format, fix, watch, quiet, ...given }: FlagValues<typeof FLAGS>): void {
  const refuse = (name: string, message: string) => badUsage(`--${name}`, message);
  if (json && format !== undefined && format !== "json")
    throw refuse("json", `--json and --format ${format} contradict each other: pass one of them.`);
  if (given["dry-run"] && !fix) throw refuse("dry-run", "--dry-run needs --fix.");
  const isText = !json && (format ?? "text") === "text";
  if (watch && !isText) throw refuse("watch", "--watch prints text: leave out --format and --json.");
  if (quiet && !isText) throw refuse("quiet", "--quiet is for text: leave out --format and --json.");
}

async function findPaths(cwd: string): Promise<readonly string[]> {
  const paths = await defaultPaths(cwd, homeFolder());
  if (paths.length > 0) return paths;
  throw badUsage(
    "<path>",
    "validate found no skills in this project. Name a SKILL.md, a folder of skills or a library: skills-mcp validate <path>….",
  );
}
