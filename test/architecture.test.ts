import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

/** The layers, lowest first. A file may import from its own folder and from the folders listed for it. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  skill: [],
  system: [],
  catalog: ["skill"],
  search: ["catalog", "system", "skill", "version.ts"],
  registry: ["catalog", "system", "skill", "version.ts"],
  library: ["catalog", "system", "skill"],
  sources: ["catalog", "system", "skill"],
  usage: ["catalog", "system", "skill"],
  app: ["registry", "search", "library", "sources", "usage", "catalog", "system", "skill", "version.ts"],
  mcp: ["app", "registry", "catalog", "system", "skill", "version.ts"],
  http: ["mcp", "app", "registry", "catalog", "system", "skill", "version.ts"],
  cli: ["http", "mcp", "app", "registry", "catalog", "system", "skill", "version.ts"],
  start: ["cli", "mcp", "app", "system", "version.ts"],
  "index.ts": ["app", "skill", "version.ts"],
  "version.ts": [],
};

/** Folders that touch no system: the same input gives the same output, anywhere. */
const PURE: ReadonlySet<string> = new Set(["skill", "catalog"]);
const PURE_PACKAGES: ReadonlySet<string> = new Set(["js-yaml", "node:path/posix"]);
const IMPURE_NAMES =
  /\b(?:process|console|performance)\.|\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bset(?:Timeout|Interval)\b/;

/** Only the edges know the MCP SDK. */
const SDK_FOLDERS: ReadonlySet<string> = new Set(["mcp", "http", "cli"]);

const LONGEST_FILE = 400;

interface Source {
  /** Below src/, with `/`. */
  readonly file: string;
  readonly text: string;
}

function readSources(): readonly Source[] {
  return readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((file) => file.split(path.sep).join("/"))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => ({ file, text: readFileSync(path.join("src", file), "utf8") }));
}

function importsOf({ text }: Source): readonly string[] {
  const statements = text.matchAll(/(?:^|\n)\s*(?:import|export)\s[^;]*?from\s+"([^"]+)"/g);
  const dynamic = text.matchAll(/\bimport\(\s*"([^"]+)"\s*\)/g);
  return [...statements, ...dynamic].map((match) => match[1] ?? "");
}

const folderOf = (file: string): string => file.split("/")[0] ?? "";

/** Everything about a file that breaks the architecture. */
function violationsIn(source: Source): readonly string[] {
  const { file, text } = source;
  const folder = folderOf(file);
  const allowed = MAY_IMPORT[folder];
  if (allowed === undefined) return [`${file}: the folder '${folder}' is not part of the architecture`];
  const found: string[] = [];
  for (const specifier of importsOf(source)) {
    if (specifier.startsWith(".")) {
      const target = folderOf(path.posix.join(path.posix.dirname(file), specifier));
      if (target !== folder && !allowed.includes(target)) found.push(`${file}: imports from '${target}'`);
    } else if (PURE.has(folder) && !PURE_PACKAGES.has(specifier)) {
      found.push(`${file}: pure code imports '${specifier}'`);
    } else if (specifier.startsWith("@modelcontextprotocol/") && !SDK_FOLDERS.has(folder)) {
      found.push(`${file}: imports the MCP SDK`);
    }
  }
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, "");
  if (PURE.has(folder) && IMPURE_NAMES.test(code)) found.push(`${file}: pure code touches the system`);
  if (/\bprocess\.exit\(/.test(code) && file !== "cli/main.ts") found.push(`${file}: ends the process`);
  if (/\bexport\s+(?:\*|default)/.test(code)) found.push(`${file}: exports are listed by hand`);
  if (/(?:^|\n)(?:export )?let /.test(code)) found.push(`${file}: module state`);
  if (text.split("\n").length > LONGEST_FILE) found.push(`${file}: longer than ${LONGEST_FILE} lines`);
  if (/(?:utils|helpers|manager|common)\.ts$/.test(file)) found.push(`${file}: is named for no idea`);
  return found;
}

describe("the architecture", () => {
  test("holds in every source file", () => {
    const sources = readSources();
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.flatMap(violationsIn)).toEqual([]);
  });

  test("knows every folder, and every folder it knows is there", () => {
    expect(Object.keys(MAY_IMPORT).sort()).toEqual(readdirSync("src").sort());
  });

  test.each([
    ["a lower layer that imports a higher one", "catalog/x.ts", 'import { a } from "../registry/scan.ts";'],
    ["a dynamic import of a higher layer", "app/x.ts", 'const a = await import("../mcp/tool.ts");'],
    ["a re-export of a higher layer", "skill/x.ts", 'export { a } from "../catalog/glob.ts";'],
    ["a pure file that reads files", "skill/x.ts", 'import fs from "node:fs/promises";'],
    ["a pure file with a clock", "catalog/x.ts", "export const now = () => Date.now();"],
    ["the SDK below the edges", "app/x.ts", 'import { McpServer } from "@modelcontextprotocol/server";'],
    ["a library that ends the process", "app/x.ts", "process.exit(1);"],
    ["module state", "registry/x.ts", "let roots: string[] = [];"],
    ["a star export", "app/x.ts", 'export * from "./y.ts";'],
    ["a file named for no idea", "app/utils.ts", ""],
    ["a folder nobody planned", "misc/x.ts", ""],
    ["a file that is too long", "app/x.ts", "\n".repeat(LONGEST_FILE + 1)],
  ])("finds a planted violation: %s", (_what, file, text) => {
    expect(violationsIn({ file, text })).toHaveLength(1);
  });
});
