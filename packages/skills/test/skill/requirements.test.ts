import { platform } from "node:os";
import { describe, expect, test } from "vitest";
import { loadSkill } from "../../../../test/support/client.ts";
import { commandJson, connectInProcess, runCommand } from "../../../../test/support/in-process.ts";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { parseSkill } from "../../src/skill/parse-skill.ts";

function requirementsOf(more: string) {
  const parsed = parseSkill(`---\nname: x\ndescription: Does x.\n${more}\n---\nBody\n`);
  return parsed.ok ? parsed.skill.requirements : parsed.problem;
}

describe("what an author says that a skill is and needs", () => {
  test.each<[string, string, object | undefined]>([
    ["nothing", "license: MIT", undefined],
    ["metadata.version", 'metadata:\n  version: "1.2.0"', { version: "1.2.0" }],
    ["a version that YAML reads as a number", "metadata:\n  version: 1.5", { version: "1.5" }],
    ["a version beside the name", "version: 2.0.0", { version: "2.0.0" }],
    ["metadata before it", "version: 1.0.0\nmetadata:\n  version: 2.0.0", { version: "2.0.0" }],
    ["a list as version", "version: [1, 2]", undefined],
    [
      "compatibility with programs",
      "compatibility: Requires git, docker, jq, and access to the internet",
      {
        compatibility: "Requires git, docker, jq, and access to the internet",
        programs: ["git", "docker", "jq"],
      },
    ],
    [
      "alternatives, which nobody can check",
      "compatibility: Requires npm or pnpm",
      { compatibility: "Requires npm or pnpm" },
    ],
    [
      "compatibility without programs",
      "compatibility: Designed for Claude Code (or similar products)",
      { compatibility: "Designed for Claude Code (or similar products)" },
    ],
    [
      "OpenClaw's fields",
      'metadata: {"openclaw": {"requires": {"bins": ["gh", "uv"]}, "os": ["darwin", "linux"]}}',
      { programs: ["gh", "uv"], systems: ["darwin", "linux"] },
    ],
    [
      "Hermes' fields",
      "platforms: [macos]\nprerequisites:\n  commands: [memo]",
      { programs: ["memo"], systems: ["darwin"] },
    ],
    ["a program that is a path", "prerequisites:\n  commands: [../x, /bin/sh, 'a b', '']", undefined],
    ["an unknown system", "platforms: [amiga]", undefined],
    [
      "too many programs",
      `prerequisites:\n  commands: [${Array.from({ length: 30 }, (_, i) => `p${i}`).join(", ")}]`,
      { programs: Array.from({ length: 20 }, (_, i) => `p${i}`) },
    ],
    ["a long version", `version: v${"1".repeat(500)}`, { version: `v${"1".repeat(63)}` }],
  ])("%s", (_, fields, expected) => {
    expect(requirementsOf(fields)).toEqual(expected);
  });
});

test("they are shown, and what is missing is said before the text without refusing it", async () => {
  const sandbox = createSandbox();
  sandbox.write(
    "project/.claude/skills/x/SKILL.md",
    "---\nname: x\ndescription: Does x.\nmetadata:\n  version: 1.2.0\nplatforms: [amiga, macos, linux, windows]\nprerequisites:\n  commands: [no-such-program-here, node]\n---\nBody of x\n",
  );
  sandbox.skill("project/.claude/skills/plain");
  const said = {
    version: "1.2.0",
    programs: ["no-such-program-here", "node"],
    systems: ["darwin", "linux", "win32"],
  };
  expect(await commandJson(sandbox, "list", "--json")).toMatchObject({
    skills: [{ name: "plain" }, { name: "x", requirements: said }],
  });
  const { stdout } = await runCommand(sandbox, ["info", "x"]);
  expect(stdout).toMatch(/^Version {4}1\.2\.0$/m);
  expect(stdout).toMatch(/^Not met {4}the program no-such-program-here is not installed$/m);
  const connection = await connectInProcess(sandbox, { era: "2025-11-25" });
  const loaded = await loadSkill(connection, "x");
  expect(loaded.isError).toBe(false);
  expect(loaded.text).toMatch(
    /^Provider: claude\nNot met here: the program no-such-program-here is not installed\n[^]*Body of x/m,
  );
  expect((await loadSkill(connection, "plain")).text).not.toContain("Not met");
});

test("a skill for another system says so", async () => {
  const sandbox = createSandbox();
  const other = platform() === "darwin" ? "windows" : "macos";
  sandbox.write(
    "project/.claude/skills/x/SKILL.md",
    `---\nname: x\ndescription: Does x.\nplatforms: [${other}]\n---\n`,
  );
  expect((await runCommand(sandbox, ["info", "x"])).stdout).toMatch(
    /Not met {4}it is for (?:macOS|Windows), and this is \w+/,
  );
});
