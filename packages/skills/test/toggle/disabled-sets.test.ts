import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { fullName } from "../../src/catalog/catalog.ts";
import { changeDisabledSet } from "../../src/toggle/toggles.ts";
import { disabledFor, readDisabledSets } from "../../src/visibility/disabled-for-client.ts";
import { fromPlugin, plain } from "../catalog/entries.ts";

const FILE = "home/.skills-mcp/disabled.json";
const CODEX = { kind: "agent", name: "codex" } as const;
const REVIEW = { kind: "profile", name: "review" } as const;

test("a skill is disabled by its identity: another one of the same name is not", async () => {
  const sandbox = createSandbox();
  const file = sandbox.path(FILE);
  const [mine, theirs, ofPlugin] = [
    plain("claude", "pdf"),
    plain("codex", "pdf"),
    fromPlugin("office", "pdf"),
  ];
  expect(fullName(ofPlugin)).toMatch(/^claude:office@.+:pdf$/);
  expect(await changeDisabledSet(file, CODEX, [mine, ofPlugin], "disabled")).toEqual([true, true]);
  expect(await changeDisabledSet(file, CODEX, [plain("claude", "PDF")], "disabled")).toEqual([false]);
  const { sets } = readDisabledSets(file);
  expect([mine, theirs, ofPlugin].map((skill) => disabledFor(sets, skill))).toEqual([[CODEX], [], [CODEX]]);
});

test("disabled sets: an agent without disabled skills is removed, a profile is not", async () => {
  const sandbox = createSandbox();
  const file = sandbox.path(FILE);
  const skills = [plain("claude", "pdf")];
  for (const whom of [CODEX, REVIEW]) {
    await changeDisabledSet(file, whom, skills, "disabled");
    expect(await changeDisabledSet(file, whom, skills, "enabled")).toEqual([true]);
    expect(await changeDisabledSet(file, whom, skills, "enabled")).toEqual([false]);
  }
  expect(readDisabledSets(file).sets).toEqual({ agents: {}, profiles: { review: [] }, listed: {} });
});

test.each([
  ["[]", undefined],
  ["null", /not a JSON object/],
  ["{", /not valid JSON/],
  ['{"agents": 5, "profiles": {"x": "y", "z": [1, "a"]}}', undefined],
  ['{"agents": {"__proto__": ["a"]}}', undefined],
])("a file with %s", (text, problem) => {
  const file = createSandbox().write(FILE, text);
  const read = readDisabledSets(file);
  if (problem === undefined) expect(read.problem).toBeUndefined();
  else expect(read.problem).toMatch(problem);
  expect(({} as Record<string, unknown>)["0"]).toBeUndefined();
});

test("disabled sets: what is no file is refused by name, and never written to", async () => {
  const sandbox = createSandbox();
  const file = sandbox.path(FILE);
  mkdirSync(file, { recursive: true });
  expect(readDisabledSets(file).problem).toMatch(/not a regular file/);
  await expect(changeDisabledSet(file, CODEX, [plain("claude", "pdf")], "disabled")).rejects.toThrow(
    /Fix or delete it/,
  );
});
