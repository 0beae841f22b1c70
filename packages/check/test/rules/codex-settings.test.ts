import { expect, test } from "vitest";
import { checkCodexSettings } from "../../src/rules/codex-settings.ts";

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
  ["an unknown section after a byte order mark", "\uFEFFinterfaces:\n", "advice", "`interface`?", 1],
  ["an unknown key", "interface:\n  display_nam: x\n", "advice", "Did you mean `display_name`?", 2],
  ["a key with a dot", "interface:\n  display.name: x\n", "advice", "Did you mean `display_name`?", 2],
  ["a key with two mistakes", "interface:\n  displai_nam: x\n", "advice", "Did you mean `display_name`?", 2],
  ["a section with two mistakes", "interfacess: {}\n", "advice", "Did you mean `interface`?", 1],
  ["an empty section", "policy:\n", "error", "`policy` must be a map.", 1],
  ["a section that is a list", "policy: [a]\n", "error", "`policy` must be a map.", 1],
  ["a tool without a value", "dependencies:\n  tools: [{type: mcp}]\n", "error", "a list of maps", 2],
  ["a tool without a type", "dependencies:\n  tools: [{value: docs}]\n", "error", "a list of maps", 2],
  [
    "a tool that is none beside one",
    "dependencies:\n  tools: [{type: mcp, value: a}, b]\n",
    "error",
    "a list of maps",
    2,
  ],
  ["tools that are one map", "dependencies:\n  tools: {type: mcp, value: a}\n", "error", "a list of maps", 2],
  ["a product that is a number", "policy:\n  products: [codex, 1]\n", "error", "must be a list of texts", 2],
  ["products that are a text", "policy:\n  products: codex\n", "error", "must be a list of texts", 2],
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

test.each(["mood", "interfacexyz"])(
  "nothing is suggested for the section %s, which is like no other",
  (name) => {
    expect(checkCodexSettings(`${name}: {}\n`)).toEqual([
      { severity: "advice", rule: "codex-settings", line: 1, message: `Codex does not know \`${name}\`.` },
    ]);
  },
);

test("settings behind a byte order mark are checked too", () => {
  expect(checkCodexSettings("\ufeffinterface:\n  display_name: 3\n")).toMatchObject([{ line: 2 }]);
});
