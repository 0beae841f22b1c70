import { expect, test } from "vitest";
import { toJSONSchema } from "zod";
import type { Snapshot } from "#skills";
import { buildCatalog } from "../../../../skills/src/catalog/build-catalog.ts";
import { DEFINITIONS } from "../../../src/mcp/definitions/all-definitions.ts";
import { selectTools } from "../../../src/mcp/definitions/tool-sets.ts";
import { toolsOf } from "../../../src/mcp/tools/all-tools.ts";

const ALL = selectTools(["all"], { always: [], auto: [] }).always;
const CONTEXT = {
  snapshot: { catalog: buildCatalog([]), library: { skills: new Map() } } as unknown as Snapshot,
  catalogue: { description: "The skills.", instructions: "", complete: true, shown: 0 },
  names: undefined,
};

/** A schema without what is for people. */
function withoutTexts(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === "description" ? undefined : value)),
  );
}

test.each(toolsOf(ALL))("what clients are told that $name takes is what it is checked with", (tool) => {
  const { $schema: _dialect, ...checked } = toJSONSchema(tool.input, { io: "input" });
  const told = DEFINITIONS[tool.name](CONTEXT).inputSchema;
  // A model should always say what it is about, though a path alone would do.
  const more = tool.name === "get_skill" ? { required: ["context"] } : {};
  expect(withoutTexts(told)).toEqual({ ...(withoutTexts(checked) as object), ...more });
});

test("every parameter of every tool is explained", () => {
  for (const name of ALL) {
    const { title, description, inputSchema } = DEFINITIONS[name](CONTEXT);
    expect([title, description].every(Boolean), name).toBe(true);
    for (const [parameter, schema] of Object.entries(inputSchema.properties ?? {}))
      expect(schema, `${name}: ${parameter}`).toHaveProperty("description");
  }
});
