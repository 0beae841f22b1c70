import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

/** The layers, lowest first. A file may import from its own folder and from the folders listed for it. */
const BELOW_APP = [
  "registry",
  "search",
  "library",
  "sources",
  "install",
  "usage",
  "fleet",
  "catalog",
  "connect",
  "audit",
  "system",
  "skill",
];
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  skill: [],
  system: [],
  connect: ["skill"],
  catalog: ["skill"],
  audit: ["skill"],
  search: ["catalog", "system", "skill", "version.ts"],
  registry: ["catalog", "system", "skill", "version.ts"],
  library: ["catalog", "system", "skill"],
  sources: ["catalog", "system", "skill"],
  install: ["catalog", "system", "skill"],
  usage: ["catalog", "system", "skill"],
  fleet: ["system"],
  app: [...BELOW_APP, "version.ts"],
  mcp: ["app", ...BELOW_APP, "version.ts"],
  http: ["mcp", "app", ...BELOW_APP, "version.ts"],
  telemetry: ["mcp", "system", "version.ts"],
  cli: ["http", "telemetry", "mcp", "app", ...BELOW_APP, "version.ts"],
  start: ["cli", "mcp", "app", "system", "version.ts"],
  "index.ts": ["app", "skill", "version.ts"],
  "version.ts": [],
};

/** Folders that touch no system: the same input gives the same output, anywhere. */
const PURE = /^(?:skill|catalog|connect|audit|search\/engine)\//;
const PURE_PACKAGES: ReadonlySet<string> = new Set([
  "js-yaml",
  "jsonc-parser",
  "smol-toml",
  "node:path/posix",
]);
const IMPURE_NAMES =
  /\b(?:process|console|performance)\.|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bset(?:Timeout|Interval)\b/;

/** Only the edges know the MCP SDK. */
const EDGES: ReadonlySet<string> = new Set(["mcp", "http", "cli"]);

/** Of these an edge uses types alone; their functions are called by `app/`. */
const BEHIND_APP = /^(?:registry|search(?!\/engine\/)|library|sources|install|usage|fleet)\//;

/** An edge may use a module of `system/` that does no I/O, and of any other these functions, which only describe. */
const DOES_IO = /^import (?!type\b)[^;]*from "node:(?:fs|child_process|net|http|dgram|worker_threads)/m;
const DESCRIBE_ONLY: ReadonlySet<string> = new Set(["describeError", "errorCode"]);

const LONGEST_FILE = 300;
const LONGEST_FUNCTION = 60;
const MOST_FILES = 15;

interface Source {
  /** Below src/, with `/`. */
  readonly file: string;
  readonly text: string;
}

interface Import {
  readonly specifier: string;
  /** The imported values; empty when only types are imported, `*` for a whole module. */
  readonly values: readonly string[];
}

function readSources(): readonly Source[] {
  return readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((file) => file.split(path.sep).join("/"))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => ({ file, text: readFileSync(path.join("src", file), "utf8") }));
}

const SOURCES = readSources();
const TEXTS: ReadonlyMap<string, string> = new Map(SOURCES.map(({ file, text }) => [file, text]));

function importsOf({ text }: Source): readonly Import[] {
  const statements = text.matchAll(/(?:^|\n)\s*(?:import|export)\s+(type\s)?([^;]*?)\s*from\s+"([^"]+)"/g);
  const dynamic = text.matchAll(/\bimport\(\s*"([^"]+)"\s*\)/g);
  return [
    ...[...statements].map(([, type, what = "", specifier = ""]) => {
      return { specifier, values: type === undefined ? valuesIn(what) : [] };
    }),
    ...[...dynamic].map(([, specifier = ""]) => ({ specifier, values: ["*"] })),
  ];
}

/** The names in `fs, { a, b as c, type D }` that are not types. */
function valuesIn(what: string): readonly string[] {
  const [, before = what, inBraces = ""] = /^([^{]*)\{([^}]*)\}/.exec(what) ?? [];
  return [...before.split(","), ...inBraces.split(",")]
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "))
    .map((name) => (name.startsWith("*") ? "*" : (name.split(" ")[0] ?? "")));
}

const folderOf = (file: string): string => file.split("/")[0] ?? "";

function importViolations({ file, text }: Source): readonly string[] {
  const folder = folderOf(file);
  const allowed = MAY_IMPORT[folder] ?? [];
  const found: string[] = [];
  for (const { specifier, values } of importsOf({ file, text })) {
    if (specifier.startsWith(".")) {
      const target = path.posix.join(path.posix.dirname(file), specifier);
      const other = folderOf(target);
      if (other !== folder && !allowed.includes(other)) found.push(`${file}: imports from '${other}'`);
      else if (EDGES.has(folder)) found.push(...edgeViolations(file, target, values));
    } else if (PURE.test(file) && !PURE_PACKAGES.has(specifier)) {
      found.push(`${file}: pure code imports '${specifier}'`);
    } else if (specifier.startsWith("@modelcontextprotocol/") && !EDGES.has(folder)) {
      found.push(`${file}: imports the MCP SDK`);
    }
  }
  return found;
}

/** The rule above `App` in app/create-app.ts. */
function edgeViolations(file: string, target: string, values: readonly string[]): readonly string[] {
  const isForbidden =
    BEHIND_APP.test(target) || (target.startsWith("system/") && DOES_IO.test(TEXTS.get(target) ?? ""));
  const forbidden = isForbidden ? values.filter((name) => !DESCRIBE_ONLY.has(name)) : [];
  return forbidden.map((name) => `${file}: an edge uses '${name}' of ${target} instead of app/`);
}

/**
 * The blocks of functions at the top level and of methods in classes and objects there, in formatted code: from the opening
 * line to the closing one of the same indent. What is nested in a function counts as a part of it.
 */
function longFunctions({ file, text }: Source): readonly string[] {
  const lines = text.split("\n");
  const opening =
    /^(?:(?:export )?(?:async )?function\b|(?:export )?const [\w$]+.*(?:=>|\() ?[{(]?$|(?:export )?const [\w$]+ = (?:async )?\()|^ {2}(?:(?:async|static|get|set|private|readonly) )*(?!(?:if|for|while|switch|catch|return)\b)[\w$#"]+(?:<.*>)?\(.*[{(]$/;
  return lines.flatMap((line, start) => {
    if (!opening.test(line) || /[;,]$/.test(line)) return [];
    const indent = line.length - line.trimStart().length;
    const closes = new RegExp(`^ {${indent}}[})\\]]`);
    let end = start + 1;
    // A signature of several lines closes at the same indent, and opens the body.
    while (end < lines.length && !(closes.test(lines[end] ?? "") && !/[{([]$/.test(lines[end] ?? ""))) end++;
    const length = end - start + 1;
    return length > LONGEST_FUNCTION && end < lines.length
      ? [`${file}:${start + 1}: a function of ${length} lines`]
      : [];
  });
}

/** Everything about a file that breaks the architecture. */
function violationsIn(source: Source): readonly string[] {
  const { file, text } = source;
  const folder = folderOf(file);
  if (!Object.hasOwn(MAY_IMPORT, folder))
    return [`${file}: the folder '${folder}' is not part of the architecture`];
  const found = [...importViolations(source), ...longFunctions(source)];
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  if (PURE.test(file) && IMPURE_NAMES.test(code)) found.push(`${file}: pure code touches the system`);
  if (/\bprocess\.exit\(/.test(code) && file !== "cli/main.ts") found.push(`${file}: ends the process`);
  if (/\bexport\s+(?:\*|default)/.test(code)) found.push(`${file}: exports are listed by hand`);
  if (/(?:^|\n)(?:export )?let /.test(code)) found.push(`${file}: module state`);
  if (text.trimEnd().split("\n").length > LONGEST_FILE)
    found.push(`${file}: longer than ${LONGEST_FILE} lines`);
  if (/(?:utils|helpers|manager|common)\.ts$/.test(file)) found.push(`${file}: is named for no idea`);
  return found;
}

function crowdedFolders(files: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const file of files) {
    const folder = path.posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > MOST_FILES)
    .map(([folder, count]) => `${folder}/: ${count} files of its own`);
}

describe("the architecture", () => {
  test("holds in every source file", () => {
    expect(SOURCES.length).toBeGreaterThan(50);
    expect(SOURCES.flatMap(violationsIn)).toEqual([]);
  });

  test("knows every folder, and every folder it knows is there", () => {
    expect(Object.keys(MAY_IMPORT).sort()).toEqual(readdirSync("src").sort());
  });

  test(`has no folder with more than ${MOST_FILES} files of its own`, () => {
    expect(crowdedFolders(SOURCES.map(({ file }) => file))).toEqual([]);
  });

  test("finds a planted folder with too many files", () => {
    const files = Array.from({ length: MOST_FILES }, (_, index) => `app/room/${index}.ts`);
    expect(crowdedFolders(files)).toEqual([]);
    expect(crowdedFolders([...files, "app/room/one-more.ts"])).toHaveLength(1);
    expect(crowdedFolders([...files, "app/room/below/another.ts"])).toEqual([]);
  });

  test.each([
    ["a lower layer that imports a higher one", "catalog/x.ts", 'import { a } from "../registry/scan.ts";'],
    ["a dynamic import of a higher layer", "app/x.ts", 'const a = await import("../mcp/tool.ts");'],
    ["a re-export of a higher layer", "skill/x.ts", 'export { a } from "../catalog/glob.ts";'],
    ["a type of a higher layer", "skill/x.ts", 'import type { A } from "../catalog/glob.ts";'],
    ["system/ that knows of skills", "system/x.ts", 'import { Refusal } from "../skill/refusal.ts";'],
    ["system/ that knows a type of skills", "system/x.ts", 'import type { Skill } from "../skill/skill.ts";'],
    ["siblings that know each other", "usage/x.ts", 'import { a } from "../registry/registry.ts";'],
    [
      "an edge that uses the registry",
      "mcp/x.ts",
      'import { readWhole } from "../registry/read/read-skill-file.ts";',
    ],
    ["an edge that loads the registry", "cli/x.ts", 'await import("../registry/registry.ts");'],
    ["an edge that re-exports the registry", "http/x.ts", 'export { a } from "../registry/registry.ts";'],
    [
      "an edge that uses usage/ beside a type of it",
      "http/x.ts",
      'import { type Span, readHistory } from "../usage/x.ts";',
    ],
    ["an edge that keeps a search index", "mcp/x.ts", 'import { a } from "../search/cache/index-file.ts";'],
    ["an edge that uses git", "cli/x.ts", 'import { a as b } from "../sources/git-source.ts";'],
    ["an edge that connects to Redis", "http/x.ts", 'import { openRedis } from "../fleet/redis.ts";'],
    ["a fleet that knows of skills", "fleet/x.ts", 'import type { Skill } from "../skill/skill.ts";'],
    ["an edge that runs scripts", "http/x.ts", 'import * as a from "../library/scripts/script-runner.ts";'],
    ["an edge that opens files", "http/x.ts", 'import { readInside } from "../system/files/open-inside.ts";'],
    ["an edge that reads folders", "cli/x.ts", 'import { readdir } from "../system/files/file-system.ts";'],
    ["a pure file that reads files", "skill/x.ts", 'import fs from "node:fs/promises";'],
    ["a search engine that reads files", "search/engine/x.ts", 'import fs from "node:fs/promises";'],
    ["a pure file with a clock", "catalog/x.ts", "export const now = () => Date.now();"],
    ["the SDK below the edges", "app/x.ts", 'import { McpServer } from "@modelcontextprotocol/server";'],
    ["a library that ends the process", "app/x.ts", "process.exit(1);"],
    ["module state", "registry/x.ts", "let roots: string[] = [];"],
    ["a star export", "app/x.ts", 'export * from "./y.ts";'],
    ["a file named for no idea", "app/utils.ts", ""],
    ["a folder nobody planned", "misc/x.ts", ""],
    ["a file that is too long", "app/x.ts", "// A line.\n".repeat(LONGEST_FILE + 1)],
    ["a long function", "app/x.ts", `export async function a() {\n${"  b();\n".repeat(60)}}\n`],
    [
      "a long function with a long signature",
      "app/x.ts",
      `function a({\n  b,\n}: C): D {\n${"  e();\n".repeat(60)}}\n`,
    ],
    ["a long arrow function", "app/x.ts", `const a = (b: string): C => {\n${"  d();\n".repeat(60)}};\n`],
    ["a long method", "app/x.ts", `export const a = {\n  async b(c) {\n${"    d();\n".repeat(60)}  },\n};\n`],
  ])("finds a planted violation: %s", (_what, file, text) => {
    expect(violationsIn({ file, text })).toHaveLength(1);
  });

  test.each([
    ["a type of the registry", "mcp/x.ts", 'import type { Snapshot } from "../registry/registry.ts";'],
    [
      "an inline type of the registry",
      "mcp/x.ts",
      'import { type Snapshot } from "../registry/registry.ts";',
    ],
    ["a pure function", "cli/x.ts", 'import { suggestNames } from "../catalog/suggest.ts";'],
    ["the pure search engine", "http/x.ts", 'import { a } from "../search/engine/index-of-skills.ts";'],
    ["a helper that does no I/O", "http/x.ts", 'import { createLog } from "../system/log.ts";'],
    [
      "the words for a failure",
      "http/x.ts",
      'import { describeError } from "../system/files/file-system.ts";',
    ],
    ["a function of 60 lines", "app/x.ts", `function a() {\n${"  b();\n".repeat(58)}}\n`],
  ])("an edge may use %s", (_what, file, text) => {
    expect(violationsIn({ file, text })).toEqual([]);
  });
});
