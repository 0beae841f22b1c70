import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TOOL_SETS } from "../../../src/mcp/definitions/definition.ts";
import { TOOL_DEFINITIONS } from "../../../src/mcp/definitions/tool-definitions.generated.ts";

test("the generated definitions and the list of tools are current", () => {
  const check = () =>
    execFileSync(process.execPath, ["scripts/generate-tools.mjs", "--check"], { encoding: "utf8" });
  expect(check).not.toThrow();
}, 20_000);

const DOCS = [
  "README.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" }).map((file) => `docs/${file}`),
]
  .filter((file) => file.endsWith(".md"))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

test.each(Object.keys(TOOL_DEFINITIONS))("tool %s: is in the documentation", (name) => {
  expect(DOCS).toContain(`\`${name}\``);
});

test.each(Object.keys(TOOL_SETS))("tool set %s: is in the documentation of --tools", (set) => {
  const lines = DOCS.split("\n").filter((line) => line.startsWith("| `--tools <names>`"));
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).toContain(`\`${set}\``);
});

test.each(Object.entries(TOOL_DEFINITIONS))(
  "tool %s: has a title, and a description of itself and of each parameter",
  (_name, tool) => {
    expect([tool.title, tool.description].every(Boolean)).toBe(true);
    for (const [parameter, schema] of Object.entries(tool.inputSchema.properties ?? {}))
      expect(schema, parameter).toHaveProperty("description");
  },
);
