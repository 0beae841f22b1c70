import { expect, test } from "vitest";
import { checkCodexSettings } from "../../../src/skill/check/codex-settings.ts";

test("good settings of Codex have no findings", () => {
  const text = `interface:
  display_name: PDF
  short_description: Reads PDFs
  icon_small: ./assets/small.png
  brand_color: "#1A2b3c"
dependencies:
  tools:
    - type: mcp
      value: docs
      url: https://example.com
policy:
  allow_implicit_invocation: false
  products: [codex]
`;
  expect(checkCodexSettings(text)).toEqual([]);
  expect(checkCodexSettings("")).toEqual([]);
});

test.each<[string, string, "error" | "advice", string, number | undefined]>([
  ["an unknown section", "interfaces:\n  x: 1\n", "advice", "Did you mean `interface`?", 1],
  ["an unknown key", "interface:\n  display_nam: x\n", "advice", "Did you mean `display_name`?", 2],
  ["a wrong colour", "interface:\n  brand_color: red\n", "error", "must be a colour", 2],
  ["a number for a text", "interface:\n  display_name: 3\n", "error", "must be a text", 2],
  ["a section that is a text", "policy: never\n", "error", "`policy` must be a map.", 1],
  ["tools that are no maps", "dependencies:\n  tools: [git]\n", "error", "a list of maps", 2],
  [
    "a switch that is neither",
    "policy:\n  allow_implicit_invocation: maybe\n",
    "error",
    "Write `true` or `false`",
    2,
  ],
  ["broken YAML", "policy: [\n", "error", "not valid YAML", undefined],
])("%s", (_, text, severity, message, line) => {
  const [finding, ...more] = checkCodexSettings(text);
  expect(more).toEqual([]);
  expect(finding).toMatchObject({ severity, message: expect.stringContaining(message) as string });
  if (line !== undefined) expect(finding?.line).toBe(line);
});
