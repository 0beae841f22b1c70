#!/usr/bin/env node
// Do the tests notice a mistake? Changes one thing at a time in a copy of the pure folders and runs their tests.
//   npm run check:mutants -- [--sample 200] [--seed 1] [--only <part of a path>] [--least 85] [--verbose]
import { fork } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values: options } = parseArgs({
  options: {
    sample: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    least: { type: "string", default: "85" },
    verbose: { type: "boolean", default: false },
    serve: { type: "string" },
  },
});

/** Pure folders, each with the folder that has its tests. */
const TESTS = {
  "packages/skills/src/skill": "packages/skills/test",
  "packages/skills/src/catalog": "packages/skills/test",
  "packages/server/src/mcp/describe": "packages/server/test/mcp/describe",
  "packages/skills/src/library": "packages/skills/test/library",
  "packages/library/src/matching": "packages/library/test/matching",
  "packages/util/src/pure": "packages/util/test/pure",
  "packages/search/src/engine": "packages/search/test",
};
const PURE = Object.keys(TESTS);
/** A mutant that loops for ever is noticed by its time. */
const LONGEST_RUN_MS = 60_000;

// Everything that a formatted source writes between spaces is an operator; the rest is told apart by its name.
const SWAPS = [
  [/ < /g, " <= "],
  [/ <= /g, " < "],
  [/ > /g, " >= "],
  [/ >= /g, " > "],
  [/ === /g, " !== "],
  [/ !== /g, " === "],
  [/ && /g, " || "],
  [/ \|\| /g, " && "],
  [/ \+ /g, " - "],
  [/ - /g, " + "],
  [/ \* /g, " / "],
  [/ \/ /g, " * "],
  [/ % /g, " * "],
  [/\btrue\b/g, "false"],
  [/\bfalse\b/g, "true"],
  [/!(?=[\w(])/g, ""],
  [/\.startsWith\(/g, ".endsWith("],
  [/\.endsWith\(/g, ".startsWith("],
  [/\.indexOf\(/g, ".lastIndexOf("],
  [/\.lastIndexOf\(/g, ".indexOf("],
  [/\.some\(/g, ".every("],
  [/\.every\(/g, ".some("],
  [/\.trim\(\)/g, ""],
  [/\.trimEnd\(\)/g, ""],
  [/\.toLowerCase\(\)/g, ""],
  [/\.normalize\(/g, ".concat("],
  [/Math\.max\(/g, "Math.min("],
  [/Math\.min\(/g, "Math.max("],
  // Not the default of an array access, which only satisfies the type checker, nor the result of a comparison.
  [/(?<![\w.$]|\?\? |\? -|-1 : )\d[\d_]*(?:\.\d+)?(?![\w.])/g, otherNumber],
  // The early exits of a function, one line each.
  [/(?<=\n)[ \t]+if \(.*\) (?:return|continue|break)\b.*;\n/g, "\n"],
];

function otherNumber(literal) {
  const number = Number(literal.replaceAll("_", ""));
  return String(Number.isInteger(number) ? number + 1 : number / 2);
}

/** The source with comments, texts, regular expressions and types blanked out, each place where it was. */
function codeOnly(source) {
  const hidden =
    /\/\*[\s\S]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[(=,:[!&|?{};]\s*|return )\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\])*\]|[^/\\\n[])+\/[a-z]*|^(?:export )?interface [\s\S]*?^\}$|^(?:export )?type [\s\S]*?;$(?!\n {2})|^import [\s\S]*?;$/gm;
  return source.replace(hidden, (text) => text.replace(/[^\n]/g, "\0"));
}

function mutantsIn(file, source) {
  const code = codeOnly(source);
  return SWAPS.flatMap(([pattern, replacement]) =>
    [...code.matchAll(pattern)].map(({ 0: found, index }) => {
      const to = typeof replacement === "function" ? replacement(found) : replacement;
      const line = source.slice(0, index).split("\n").length;
      const mutated = source.slice(0, index) + to + source.slice(index + found.length);
      return { file, line, from: source.slice(index, index + found.length).trim(), to: to.trim(), mutated };
    }),
  );
}

/** The same choice for the same seed (mulberry32). */
function sampled(all, count, seed) {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return all
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ item }) => item);
}

function copyTree(root) {
  const copy = mkdtempSync(path.join(tmpdir(), "skills-mcp-mutants-"));
  for (const name of ["packages", "test", "scripts", "package.json", "tsconfig.json"]) {
    cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
  }
  for (const name of ["node_modules", "data"])
    symlinkSync(path.join(root, name), path.join(copy, name), "dir");
  // Hundreds of runs of each property show little more than some.
  for (const file of readdirSync(path.join(copy, "packages"), { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".test.ts")) continue;
    const full = path.join(copy, "packages", file);
    writeFileSync(full, readFileSync(full, "utf8").replace(/numRuns: \d{3}\b/g, "numRuns: 80"));
  }
  return copy;
}

/** The nearest tests come first: those of the same name, then of the same folder. */
function testsFor(file, copy) {
  const top = PURE.find((folder) => file.startsWith(`${folder}/`));
  const folder = path.posix.dirname(file).replace("/src/", "/test/");
  const all = readdirSync(path.join(copy, TESTS[top]), { recursive: true, encoding: "utf8" })
    .map((name) => path.posix.join(TESTS[top], name.split(path.sep).join("/")))
    .filter((name) => name.endsWith(".test.ts") && !runsCommands(path.join(copy, name)));
  const name = path.posix.basename(file, ".ts");
  const distanceOf = (test) => {
    if (path.posix.basename(test).startsWith(`${name}.`)) return 0;
    return path.posix.dirname(test) === folder ? 1 : 2;
  };
  return [0, 1, 2].map((distance) => all.filter((test) => distanceOf(test) === distance));
}

/** A command in the test's own process changes its working folder, which the threads here share. */
function runsCommands(test) {
  return readFileSync(test, "utf8").includes("/in-process.ts");
}

/** Runs tests in a process of its own, because a mutant that loops for ever can only be killed. */
function createRunner(copy) {
  let child;
  const stale = new Set();
  return {
    changed: (file) => stale.add(file),
    /** The tests that fail, as far as they were run. */
    async failuresOf(tests, longestMs = LONGEST_RUN_MS) {
      if (tests.length === 0) return [];
      child ??= fork(fileURLToPath(import.meta.url), ["--serve", copy], {
        stdio: ["ignore", "ignore", "inherit", "ipc"],
      });
      const waiting = new AbortController();
      child.send({ tests, stale: [...stale] });
      stale.clear();
      const { signal } = waiting;
      const failures = await Promise.race([
        once(child, "message", { signal }).then(([answer]) => answer),
        once(child, "exit", { signal }).then(() => undefined),
        sleep(longestMs, undefined, { signal }),
      ]);
      waiting.abort();
      if (failures !== undefined) return failures;
      this.close();
      return ["ran too long"];
    },
    close() {
      child?.kill("SIGKILL");
      child = undefined;
    },
  };
}

/** The process that runs the tests: one Vitest, which transforms only what has changed. */
async function serve(copy) {
  const { createVitest } = await import("vitest/node");
  const vitest = await createVitest("test", {
    root: copy,
    config: false,
    watch: false,
    include: ["packages/*/test/**/*.test.ts"],
    pool: "threads",
    isolate: false,
    maxWorkers: 2,
    bail: 1,
    testTimeout: 30_000,
    reporters: [{}],
  });
  process.once("disconnect", () => process.exit());
  const run = async ({ tests, stale }) => {
    for (const file of stale) vitest.invalidateFile(path.join(copy, file));
    // Results of earlier runs would count again.
    vitest.state.filesMap.clear();
    const project = vitest.getRootProject();
    const specifications = tests.map((test) => project.createSpecification(path.join(copy, test)));
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications, true);
    const failed = testModules.filter((module) => !module.ok());
    const names = ({ children }) => [...children.allTests("failed")].map(({ fullName }) => fullName);
    process.send([
      ...unhandledErrors.map(String),
      ...failed.map((module) => [module.relativeModuleId, ...names(module)].join(": ")),
    ]);
  };
  process.on("message", (message) => void run(message));
}

async function survives({ file, mutated }, copy, runner) {
  const full = path.join(copy, file);
  const original = readFileSync(full, "utf8");
  writeFileSync(full, mutated);
  runner.changed(file);
  try {
    for (const tests of testsFor(file, copy)) if ((await runner.failuresOf(tests)).length > 0) return false;
    return true;
  } finally {
    writeFileSync(full, original);
    runner.changed(file);
  }
}

async function check(root) {
  const copy = copyTree(root);
  const runner = createRunner(copy);
  try {
    const files = PURE.flatMap((folder) =>
      readdirSync(path.join(copy, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => path.posix.join(folder, name.split(path.sep).join("/"))),
    ).filter((file) => file.includes(options.only));
    const everything = PURE.flatMap((folder) => testsFor(`${folder}/x.ts`, copy).flat());
    const failures = await runner.failuresOf(everything, 10 * LONGEST_RUN_MS);
    if (failures.length > 0) throw new Error(`The tests fail without any mutant: ${failures.join("; ")}`);
    const all = files.flatMap((file) => mutantsIn(file, readFileSync(path.join(copy, file), "utf8")));
    const mutants = sampled(all, Number(options.sample), Number(options.seed));
    process.exitCode = report(await tryAll(mutants, copy, runner), all.length);
  } finally {
    runner.close();
    rmSync(copy, { recursive: true, force: true });
  }
}

async function tryAll(mutants, copy, runner) {
  const results = [];
  for (const mutant of mutants) {
    const began = performance.now();
    const survived = await survives(mutant, copy, runner);
    results.push({ ...mutant, survived });
    const { file, line, from, to } = mutant;
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    if (survived) console.log(`survived: ${file}:${line}: ${from} -> ${to || "(removed)"} (${seconds} s)`);
    else if (options.verbose)
      console.log(`killed: ${file}:${line}: ${from} -> ${to || "(removed)"} (${seconds} s)`);
  }
  return results;
}

function report(results, total) {
  const score = (some) => (100 * some.filter(({ survived }) => !survived).length) / Math.max(some.length, 1);
  for (const folder of PURE) {
    const some = results.filter(({ file }) => file.startsWith(`${folder}/`));
    const killed = some.filter(({ survived }) => !survived).length;
    console.log(`${folder}: ${killed} of ${some.length} killed (${score(some).toFixed(1)} %)`);
  }
  console.log(
    `${results.length} of ${total} mutants tried, ${score(results).toFixed(1)} % killed; at least ${options.least} % are expected.`,
  );
  return score(results) < Number(options.least) ? 1 : 0;
}

if (options.serve === undefined) await check(fileURLToPath(new URL("..", import.meta.url)));
else await serve(options.serve);
