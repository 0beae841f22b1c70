import { expect, test } from "vitest";
import { fromPlugin, plain } from "../../../../test/support/skills.ts";
import {
  isListRule,
  type ListedSets,
  listRules,
  type RuleLists,
  ruleOf,
  rulesFor,
} from "../../src/visibility/list-rules.ts";

const NONE: RuleLists = { always: [], name_only: [], manual: [] };
const PDF = plain("claude", "pdf");
const GIT = plain("kiro", "git-log");
const OFFICE = fromPlugin("office", "pdf");
const CODEX = { name: "codex-mcp-client", version: "0.169.0" };

test.each([
  ["pdf", true],
  ["git-*", true],
  ["@office:*", true],
  ["claude:pdf for codex", true],
  ["pdf for Codex", true],
  ["pdf for acme-bot", true],
  ["pdf for codx", false],
  ["pdf, docx", false],
  ["", false],
  ["codex:@plugins", false],
])("list rules: '%s' is a rule: %s", (text, expected) => {
  expect(isListRule(text)).toBe(expected);
});

test.each<[string, Partial<RuleLists>, ListedSets, readonly (string | undefined)[]]>([
  ["nothing", {}, {}, [undefined, undefined, undefined]],
  ["a name", { always: ["pdf"] }, {}, ["always", undefined, "always"]],
  ["a plugin", { manual: ["@office"] }, {}, [undefined, undefined, "manual"]],
  [
    "a name before a pattern",
    { name_only: ["*"], always: ["claude:pdf"] },
    {},
    ["always", "name-only", "always"],
  ],
  [
    "an agent before everyone",
    { always: ["pdf"], manual: ["* for codex"] },
    {},
    ["manual", "manual", "manual"],
  ],
  ["another agent", { manual: ["* for cursor"] }, {}, [undefined, undefined, undefined]],
  [
    "of equal ones the one that shows less",
    { always: ["pdf"], manual: ["pdf"] },
    {},
    ["manual", undefined, "manual"],
  ],
  [
    "the dashboard before the settings",
    { manual: ["pdf for codex"] },
    { "*": { "claude:PDF": "always" } },
    ["always", undefined, "manual"],
  ],
  [
    "its agent before everyone",
    {},
    { "*": { "kiro:git-log": "always" }, codex: { "kiro:git-log": "name-only" } },
    [undefined, "name-only", undefined],
  ],
  [
    "what it takes back",
    { manual: ["*"] },
    { codex: { "claude:pdf": "usual" } },
    [undefined, "manual", "manual"],
  ],
])("list rules: %s", (_, lists, listed, expected) => {
  const rules = rulesFor(listRules({ ...NONE, ...lists }, listed), CODEX);
  expect([PDF, GIT, OFFICE].map((skill) => ruleOf(rules, skill))).toEqual(expected);
});

test("list rules: before a client is known, only those for everyone count", () => {
  const rules = rulesFor(
    listRules({ ...NONE, manual: ["pdf for codex"], always: ["git-log"] }, {}),
    undefined,
  );
  expect([PDF, GIT].map((skill) => ruleOf(rules, skill))).toEqual([undefined, "always"]);
});
