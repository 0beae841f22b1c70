import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runCommand } from "../support/in-process.ts";
import { messagesOf } from "../support/log.ts";
import { createSandbox } from "../support/sandbox.ts";

/** The rows of the table as key, value and origin. */
function rows(stdout: string): ReadonlyMap<string, readonly string[]> {
  const lines = stdout.trimEnd().split("\n").slice(1);
  return new Map(lines.map((line) => line.split(/ {2,}/)).map(([key = "", ...rest]) => [key, rest]));
}

test("config shows the defaults where nothing is set, and docs/reference/settings.md lists each of them", async () => {
  const { code, stdout, stderr } = await runCommand(createSandbox(), ["config"]);
  expect([code, stderr]).toEqual([0, ""]);
  const docs = readFileSync("docs/reference/settings.md", "utf8");
  for (const [key, [, origin]] of rows(stdout)) {
    expect(origin).toBe("default");
    expect(docs).toContain(`| \`${key.replace(/\[.*/, "")}\` |`);
  }
});

test("config says where each value came from", async () => {
  const sandbox = createSandbox();
  const library = sandbox.write("library/config.yaml", "matching:\n  max_results: 5\n  min_score: 0.3\n");
  const own = sandbox.write("home/.skills-mcp/config.yaml", "matching:\n  min_score: 0.4\n");
  const env = { REFRESH_INTERVAL_MINUTES: "5", SKILLS_DIR: sandbox.path("library") };
  const table = rows((await runCommand(sandbox, ["config"], { env })).stdout);
  expect(table.get("matching.max_results")).toEqual(["5", `${library}:2`]);
  expect(table.get("matching.min_score")).toEqual(["0.4", `${own}:2`]);
  expect(table.get("refresh.interval_minutes")).toEqual(["5", "REFRESH_INTERVAL_MINUTES (environment)"]);
});

test("config --json prints values and origins; --library wins over SKILLS_DIR, --user-dir over the home folder", async () => {
  const sandbox = createSandbox();
  const library = sandbox.write("project/skills/config.yaml", "scripts: {runners: {.sh: sh}}\n");
  const own = sandbox.write("other/.skills-mcp/config.yaml", "analytics: {context: off}\n");
  sandbox.write("home/.skills-mcp/config.yaml", "matching: nonsense\n");
  const { code, stdout, stderr } = await runCommand(
    sandbox,
    ["config", "--json", "--library", "skills", "--user-dir", "../other"],
    { env: { SKILLS_DIR: "/nowhere" } },
  );
  expect([code, stderr]).toEqual([0, ""]);
  expect(JSON.parse(stdout)).toMatchObject({
    values: { scripts: { runners: { ".sh": "sh", ".py": "python3" } }, analytics: { context: "off" } },
    origins: {
      'scripts.runners[".sh"]': { kind: "file", file: library, line: 1 },
      'scripts.runners[".py"]': { kind: "default" },
      "analytics.context": { kind: "file", file: own, line: 1 },
    },
  });
});

test("everything that is wrong is a line on stderr, nothing is printed, and the exit code is 2", async () => {
  const sandbox = createSandbox();
  const library = sandbox.write(
    "library/config.yaml",
    'scripts:\n  timeout_seconds: 0\n  sandbox: "\\e[2J\\n"\n',
  );
  const env = { REFRESH_INTERVAL_MINUTES: "0", ANALYTICS_ENDPOINT: "https://ann:secret@example.com" };
  const { code, stdout, stderr } = await runCommand(
    sandbox,
    ["config", "--library", sandbox.path("library")],
    { env },
  );
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr.trimEnd().split("\n")).toEqual([
    `skills-mcp: ${library}:2: scripts.timeout_seconds is 0, but must be a whole number from 1 to 86400.`,
    `skills-mcp: ${library}:3: scripts.sandbox is "\\u001b[2J\\n", but must be required, preferred or off.`,
    expect.stringMatching(
      /^skills-mcp: REFRESH_INTERVAL_MINUTES: The value is "0", but must be a whole number/,
    ),
    expect.stringMatching(/^skills-mcp: ANALYTICS_ENDPOINT: The value must be an http or https URL/),
  ]);
  expect(stderr).not.toContain("secret");
});

test("a library that is not there is worth a line", async () => {
  const sandbox = createSandbox();
  const { code, stderr } = await runCommand(sandbox, ["config", "--library", "nowhere"]);
  expect(code).toBe(0);
  expect(messagesOf(stderr)).toBe(
    `${sandbox.path("project/nowhere")}: no such folder, so the library sets nothing\n`,
  );
});

test.each([
  [["config", "--libary", "x"], "skills-mcp: Unknown flag '--libary' for config. Did you mean --library?\n"],
  [["config", "extra"], "skills-mcp: config takes no arguments, but got 'extra'.\n"],
])("%j is refused", async (args, expected) => {
  expect(await runCommand(createSandbox(), args)).toEqual({ code: 2, stdout: "", stderr: expected });
});
