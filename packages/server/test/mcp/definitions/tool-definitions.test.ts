import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { TOOL_DEFINITIONS } from "../../../src/mcp/definitions/tool-definitions.generated.ts";

test("the generated definitions and the list of tools are current", () => {
  const check = () =>
    execFileSync(process.execPath, ["scripts/generate-tools.mjs", "--check"], { encoding: "utf8" });
  expect(check).not.toThrow();
}, 20_000);

test.each(Object.entries(TOOL_DEFINITIONS))(
  "tool %s: has a title, and a description of itself and of each parameter",
  (_name, tool) => {
    expect([tool.title, tool.description].every(Boolean)).toBe(true);
    for (const [parameter, schema] of Object.entries(tool.inputSchema.properties ?? {}))
      expect(schema, parameter).toHaveProperty("description");
  },
);
