import { describe, expect, test } from "vitest";
import {
  audienceMark,
  describedFor,
  explainInvocation,
  hostFieldsIn,
  hostFieldText,
  sameInvocation,
  USUAL,
} from "../../src/skill/invocation.ts";
import { parseSkill } from "../../src/skill/parse-skill.ts";

function read(...lines: readonly string[]) {
  const parsed = parseSkill(["---", "name: deploy", "description: Deploys.", ...lines, "---", ""].join("\n"));
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.skill;
}

const NO_MODEL = { model: false, user: true, because: [{ field: "disable-model-invocation", line: 4 }] };
const NO_USER = { model: true, user: false, because: [{ field: "user-invocable", line: 4 }] };

describe("who may invoke a skill", () => {
  test.each([
    ["disable-model-invocation: true", NO_MODEL],
    ["disable-model-invocation: True", NO_MODEL],
    ['disable-model-invocation: "true"', NO_MODEL],
    ["disable-model-invocation: yes", NO_MODEL],
    ["disable-model-invocation: ON", NO_MODEL],
    ["disable-model-invocation: 1", NO_MODEL],
    ["disable_model_invocation: true", NO_MODEL],
    ["disableModelInvocation: true", NO_MODEL],
    ["Disable-Model-Invocation: true", NO_MODEL],
    ["disable-model-invocation: false", undefined],
    ["disable-model-invocation: no", undefined],
    ["user-invocable: false", NO_USER],
    ["user-invocable: 'no'", NO_USER],
    ["user-invocable: off", NO_USER],
    ["user-invocable: 0", NO_USER],
    ["user_invocable: false", NO_USER],
    ["user-invokable: false", NO_USER],
    ['user-invocable: " no "', NO_USER],
    ["user-invocable: true", undefined],
    ["license: MIT", undefined],
  ])("%s", (line, expected) => {
    const { invocation, warnings } = read(line);
    expect(invocation).toEqual(expected);
    expect(warnings).toEqual([]);
  });

  test("both fields can say no", () => {
    const { invocation } = read("disable-model-invocation: true", "user-invocable: false");
    expect(explainInvocation(invocation)).toBe(
      "model: no, user: no, because line 4 says disable-model-invocation and line 5 says user-invocable",
    );
    expect(audienceMark(invocation)).toBe("[by name only] ");
  });

  test("of two spellings the official one counts", () => {
    expect(read("user_invocable: true", "user-invocable: false").invocation?.user).toBe(false);
    expect(read("user-invocable: true", "user_invocable: false").invocation).toBeUndefined();
  });

  test.each([
    ["disable-model-invocation: maybe", "`disable-model-invocation` is 'maybe' and was ignored."],
    ["user-invocable: 2", "`user-invocable` is '2' and was ignored."],
    [`user-invocable: ${"x".repeat(40)}`, `is '${"x".repeat(40)}' and was ignored.`],
    [`user-invocable: ${"x".repeat(41)}`, `is '${"x".repeat(40)}…' and was ignored.`],
    ["when_to_use: [a, {b: c}]", "`when_to_use` must be text and was ignored."],
    ["argument-hint: [a, {b: c}]", "`argument-hint` must be text and was ignored."],
    ["user-invocable:", "`user-invocable` is empty and was ignored."],
    ["user-invocable: [a]", "`user-invocable` is a list or a map and was ignored."],
    ["when_to_use:\n  a: b", "`when_to_use` must be text and was ignored."],
    ["argument-hint:\n  a: b", "`argument-hint` must be text and was ignored."],
    ["arguments: [a, a]", "`arguments` must be at most 20 different names"],
    ["arguments: [1st]", "`arguments` must be at most 20 different names"],
    ["metadata:\n  internal: perhaps", "`internal` is 'perhaps' and was ignored."],
  ])("a value that means nothing is ignored with a warning: %s", (lines, message) => {
    const { warnings } = read(...lines.split("\n"));
    expect(warnings).toEqual([
      {
        code: "invocation-field",
        message: expect.stringContaining(message),
        line: lines.startsWith("metadata") ? 5 : 4,
      },
    ]);
  });

  test("such a value is no reason to skip the skill, even with strict", () => {
    const text = "---\nname: a\ndescription: A.\nuser-invocable: perhaps\n---\n";
    expect(parseSkill(text, { strict: true }).ok).toBe(true);
  });

  test("front matter that has to be recovered is read too", () => {
    const { invocation } = read("argument-hint: [file] [format]", "disable-model-invocation: true");
    expect(invocation).toMatchObject({ model: false, argumentHint: "[file] [format]" });
  });
});

describe("when_to_use", () => {
  test.each([
    ["when_to_use: On Fridays.", "Deploys. - On Fridays."],
    ["when-to-use: On Fridays.", "Deploys. - On Fridays."],
    ["whenToUse: On  Fridays.", "Deploys. - On Fridays."],
    ["when_to_use: |\n  On\n  Fridays.", "Deploys. - On Fridays."],
    ["when_to_use:\n  - On Fridays.\n  - At night.", "Deploys. - On Fridays. At night."],
    ["when_to_use:", "Deploys."],
    ["when_to_use: ''", "Deploys."],
    ["when_to_use: 5", "Deploys. - 5"],
  ])("%j is part of what models read", (lines, expected) => {
    const skill = read(...lines.split("\n"));
    expect(describedFor(skill)).toBe(expected);
    expect(skill.description).toBe("Deploys.");
  });
});

describe("metadata.internal", () => {
  test.each([
    ["metadata:\n  internal: true", true],
    ['metadata:\n  internal: "true"', true],
    ["metadata:\n  internal: false", undefined],
    ["metadata: {internal: yes}", true],
    ["metadata:\n  Internal: on", true],
    ["metadata: internal", undefined],
    ["metadata: [internal]", undefined],
    ["metadata:", undefined],
    ["internal: true", undefined],
  ])("%j", (lines, expected) => {
    expect(read(...lines.split("\n")).invocation?.internal).toBe(expected);
  });
});

describe("argument-hint and arguments", () => {
  test.each([
    ["argument-hint: [issue-number]", { argumentHint: "[issue-number]" }],
    ['argument-hint: "[file] [format]"', { argumentHint: "[file] [format]" }],
    ["argument_hint: what to learn", { argumentHint: "what to learn" }],
    ["arguments: issue branch", { arguments: [{ name: "issue" }, { name: "branch" }] }],
    ["arguments: issue, branch", { arguments: [{ name: "issue" }, { name: "branch" }] }],
    ["arguments: [issue, branch]", { arguments: [{ name: "issue" }, { name: "branch" }] }],
    ["arguments:\n  - issue\n  - branch", { arguments: [{ name: "issue" }, { name: "branch" }] }],
    [
      "args:\n  - name: area\n    description: Where.\n    required: true",
      { arguments: [{ name: "area", description: "Where.", required: true }] },
    ],
  ])("%j", (lines, expected) => {
    const { invocation, warnings } = read(...lines.split("\n"));
    expect(invocation).toEqual({ ...USUAL, ...expected });
    expect(warnings).toEqual([]);
  });
});

test("the fields of hosts are taken as they are, and decide nothing", () => {
  const { fields, invocation, warnings } = read(
    "context: fork",
    "agent: Explore",
    "model: opus",
    "effort: high",
    "allowed-tools: Read, Bash(git *)",
    "disallowed-tools: [Write]",
    "hooks:\n  PreToolUse: []",
    "paths: src/**",
    "shell: bash",
  );
  expect(hostFieldsIn(fields)).toEqual({
    context: "fork",
    agent: "Explore",
    model: "opus",
    effort: "high",
    "allowed-tools": "Read, Bash(git *)",
    "disallowed-tools": ["Write"],
    hooks: { PreToolUse: [] },
    paths: "src/**",
    shell: "bash",
  });
  expect(invocation).toBeUndefined();
  expect(warnings).toEqual([]);
});

test("a skill without invocation fields is explained as well", () => {
  expect(explainInvocation(undefined)).toBe("model: yes, user: yes");
  expect(audienceMark()).toBe("");
});

test.each([
  [true, true, ""],
  [true, false, "[models only] "],
  [false, true, "[not for models] "],
  [false, false, "[by name only] "],
])("for models: %s, for people: %s, is marked '%s'", (model, user, mark) => {
  expect(audienceMark({ model, user, because: [] })).toBe(mark);
});

test.each([
  [{ field: "user-invocable" }, "the front matter says user-invocable"],
  [{ field: "user-invocable", line: 4 }, "line 4 says user-invocable"],
  [{ field: "policy.x", file: "agents/openai.yaml" }, "agents/openai.yaml says policy.x"],
  [{ field: "policy.x", file: "agents/openai.yaml", line: 2 }, "agents/openai.yaml line 2 says policy.x"],
])("the reason %j is told as '%s'", (reason, told) => {
  const text = explainInvocation({ model: true, user: false, because: [reason] });
  expect(text).toBe(`model: yes, user: no, because ${told}`);
});

test("two say the same, wherever they say it", () => {
  expect(sameInvocation(undefined, undefined)).toBe(true);
  expect(sameInvocation(USUAL, USUAL)).toBe(true);
  expect(sameInvocation(NO_USER, { ...NO_USER, because: [{ field: "user-invocable", line: 9 }] })).toBe(true);
  expect(sameInvocation(NO_USER, NO_MODEL)).toBe(false);
  expect(sameInvocation(NO_USER, undefined)).toBe(false);
  expect(sameInvocation(USUAL, { ...USUAL, whenToUse: "At night." })).toBe(false);
});

test.each([
  ["allowed-tools", "Read, Grep", "allowed-tools: Read, Grep"],
  ["paths", ["a", "b"], 'paths: ["a","b"]'],
  ["hooks", { Stop: 1 }, 'hooks: {"Stop":1}'],
])("the field %s with %j is shown as '%s'", (field, value, text) => {
  expect(hostFieldText(field, value)).toBe(text);
});
