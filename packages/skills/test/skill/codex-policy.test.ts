import { expect, test } from "vitest";
import { explainInvocation, parseCodexPolicy, withCodexPolicy } from "../../src/skill/invocation.ts";

const FULL = `interface:
  display_name: "Deploy"
dependencies:
  tools:
    - type: "mcp"
      value: "github"

policy:
  allow_implicit_invocation: false
  products:
    - codex
`;

test.each([
  ["a whole file", FULL, { allowsImplicit: false, line: 9 }],
  ["the policy alone", "policy:\n  allow_implicit_invocation: false\n", { allowsImplicit: false, line: 2 }],
  ["a word", 'policy:\n  allow_implicit_invocation: "no"\n', { allowsImplicit: false, line: 2 }],
  ["a byte order mark", "\ufeffpolicy: {allow_implicit_invocation: false}\n", { allowsImplicit: false }],
  ["an explicit yes", "policy:\n  allow_implicit_invocation: true\n", { allowsImplicit: true, line: 2 }],
  ["no policy", "interface:\n  display_name: X\n", { allowsImplicit: true }],
  ["a policy that says nothing", "policy:\n", { allowsImplicit: true }],
  ["a policy that is a text", "policy: never\n", { allowsImplicit: true }],
  ["a policy that is a list", "policy: [allow_implicit_invocation]\n", { allowsImplicit: true }],
  ["a policy about something else", "policy:\n  products: [codex]\n", { allowsImplicit: true }],
  [
    "2,000 lines",
    `${"#\n".repeat(1_998)}policy:\n  allow_implicit_invocation: false\n`,
    { allowsImplicit: false, line: 2_000 },
  ],
  ["an empty file", "", { allowsImplicit: true }],
])("%s", (_what, text, expected) => {
  expect(parseCodexPolicy(text)).toEqual({ ...expected, warnings: [] });
});

test.each([
  ["broken YAML", "a: b\npolicy: c: d\n", "It is not valid YAML", 2],
  ["a list", "- policy\n", "It is not valid YAML", undefined],
  ["an alias", "a: &a x\npolicy: *a\n", "It is not valid YAML", 2],
  [
    "a word without meaning",
    "policy:\n  allow_implicit_invocation: perhaps\n",
    "is 'perhaps' and was ignored",
    2,
  ],
  ["2,001 lines", "#\n".repeat(2_001), "more than 2000 lines", undefined],
])("%s allows everything, with a warning", (_what, text, message, line) => {
  const { allowsImplicit, warnings } = parseCodexPolicy(text);
  expect(allowsImplicit).toBe(true);
  expect(warnings).toStrictEqual([
    {
      code: "invocation-field",
      message: expect.stringContaining(message),
      ...(line === undefined ? {} : { line }),
    },
  ]);
});

test("a Codex policy adds to what the front matter says", () => {
  const policy = parseCodexPolicy(FULL);
  expect(explainInvocation(withCodexPolicy(undefined, policy))).toBe(
    "model: no, user: yes, because agents/openai.yaml line 9 says policy.allow_implicit_invocation",
  );
  const before = { model: true, user: false, because: [{ field: "user-invocable", line: 4 }] };
  expect(withCodexPolicy(before, policy)).toMatchObject({ model: false, user: false });
  expect(withCodexPolicy(before, parseCodexPolicy(""))).toBe(before);
  expect(withCodexPolicy(before, undefined)).toBe(before);
  expect(withCodexPolicy(undefined, parseCodexPolicy(""))).toBeUndefined();
});
