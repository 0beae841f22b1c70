import { describe, expect, test } from "vitest";
import { violationsIn } from "../scripts/parts/rules.mjs";

/** Where the parts declare what the planted files import. */
const declaredIn = (_specifier: string, name: string): string =>
  name === "parseSkill" ? "packages/skills/src/skill/parse-skill.ts" : "packages/skills/src/scan/scan.ts";

describe("rules of the parts: a planted violation is found", () => {
  test.each([
    ["a part that imports one above it", "skills/src/x.ts", 'import { a } from "#search";'],
    ["a type of a part above", "skills/src/x.ts", 'import type { A } from "#search";'],
    ["a part above, on demand", "skills/src/x.ts", 'const { a } = await import("#search");'],
    ["a re-export of a part above", "util/src/x.ts", 'export { a } from "#skills";'],
    ["an import past index.ts", "server/src/x.ts", 'import { a } from "../../skills/src/scan/scan.ts";'],
    [
      "an import past index.ts in a test",
      "server/test/x.test.ts",
      'import { a } from "../../skills/src/a.ts";',
    ],
    ["a part's own name", "skills/src/x.ts", 'import { a } from "#skills";'],
    ["a part that does not exist", "cli/src/x.ts", 'import { a } from "#misc";'],
    ["a value of the fleet in the server", "server/src/x.ts", 'import { openRedis } from "#fleet";'],
    ["a pure file that reads files", "skills/src/skill/x.ts", 'import fs from "node:fs/promises";'],
    ["a pure file that imports what scans", "check/src/rules/x.ts", 'import { scan } from "#skills";'],
    ["a pure file with a clock", "skills/src/catalog/x.ts", "export const now = () => Date.now();"],
    ["the page that imports the server", "web/src/x.ts", 'import type { A } from "#server";'],
    ["the SDK in a feature", "skills/src/x.ts", 'import { McpServer } from "@modelcontextprotocol/server";'],
    ["the system's name in a feature", "skills/src/x.ts", "const isWindows = process.platform === 'win32';"],
    ["the system's name by another way", "skills/src/x.ts", 'import { platform } from "node:os";'],
    ["a real path in the spelling of its caller", "skills/src/x.ts", "const real = realpathSync(folder);"],
    ["the end of the process in a feature", "skills/src/x.ts", "process.exit(1);"],
    ["module state", "skills/src/x.ts", "let roots: string[] = [];"],
    ["a star export", "skills/src/x.ts", 'export * from "./y.ts";'],
    ["a file named for no idea", "skills/src/utils.ts", ""],
    ["a comment about something else", "skills/src/x.ts", "/** The same for a server. */"],
    ["every service", "cli/src/x.ts", "function show(name: string, services: Services): void {}"],
    [
      "a cast of an SDK object",
      "server/src/x.ts",
      'import { Server } from "@modelcontextprotocol/server";\nconst a = b as unknown as Server;',
    ],
    [
      "a private member of the SDK",
      "server/src/x.ts",
      'import { Server } from "@modelcontextprotocol/server";\nserver._requestHandlers.clear();',
    ],
    [
      "an SDK method that is replaced",
      "server/src/x.ts",
      'import { Server } from "@modelcontextprotocol/server";\nserver.connect = async () => {};',
    ],
    [
      "SDK methods that are replaced at once",
      "server/src/x.ts",
      'import { Server } from "@modelcontextprotocol/server";\nObject.assign(stage.server, { connect });',
    ],
    [
      "a private method of the SDK in a type",
      "server/src/x.ts",
      'import { Server } from "@modelcontextprotocol/server";\ninterface Hooks {\n  _metadata(): void;\n}',
    ],
    ["a request that is none", "server/src/x.ts", "const request = head as unknown as Request;"],
  ])("%s", (_what, file, text) => {
    expect(violationsIn({ file: `packages/${file}`, text }, declaredIn)).toHaveLength(1);
  });
});

describe("rules of the parts: not a violation", () => {
  test.each([
    ["a part below", "search/src/x.ts", 'import { a } from "#skills";'],
    [
      "the system's name where systems differ",
      "util/src/platform/x.ts",
      "export const a = process.platform;",
    ],
    ["a real path as the disk has it", "skills/src/x.ts", "const real = realpathSync.native(folder);"],
    ["a type of the fleet", "server/src/x.ts", 'import type { FleetShare } from "#fleet";'],
    ["a pure function of another part", "check/src/rules/x.ts", 'import { parseSkill } from "#skills";'],
    ["a test of a part's own files", "skills/test/x.test.ts", 'import { a } from "../src/scan/scan.ts";'],
    [
      "what the SDK lets others set",
      "server/src/x.ts",
      'import { Server } from "@modelcontextprotocol/server";\ntransport.onclose = () => {};',
    ],
    [
      "the metadata of a message",
      "server/src/x.ts",
      'import { Server } from "@modelcontextprotocol/server";\nconst meta = params._meta;',
    ],
  ])("%s", (_what, file, text) => {
    expect(violationsIn({ file: `packages/${file}`, text }, declaredIn)).toEqual([]);
  });
});

test.each([
  ["may import the benchmarks of a part", "../packages/library/bench/match.ts", 0],
  ["may not import the sources of a part", "../packages/library/src/matching/match-skills.ts", 1],
])("rules of the parts: the benchmark suite %s", (_what, specifier, count) => {
  const text = `import { a } from "${specifier}";`;
  expect(violationsIn({ file: "bench/suite.ts", text }, declaredIn)).toHaveLength(count);
});
