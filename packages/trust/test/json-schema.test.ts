import { readFileSync } from "node:fs";
import path from "node:path";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import { policySchema } from "../src/rules/json-schema.ts";
import { parsePolicy } from "../src/rules/parse-policy.ts";

const validate = new AjvJsonSchemaValidator().getValidator<unknown>(policySchema("trust"));

/** What the schema and the program say of a text. */
const both = (text: string) => [
  validate(load(text)).valid,
  parsePolicy(text, "/home/ann/.skills-mcp/trust.yaml", "/home/ann").ok,
];

test("schema of trust.yaml: the first example in docs/how-to/trust.md conforms", () => {
  const docs = readFileSync(path.resolve(import.meta.dirname, "../../../docs/how-to/trust.md"), "utf8");
  const [, yaml = ""] = /^```yaml\n([^]*?)^```$/m.exec(docs) ?? [];
  expect(yaml).toContain("review:");
  expect(both(yaml)).toEqual([true, true]);
});

test.each([
  ["{}", true],
  ["allow:\nreview: [github.com]\n", true],
  ["permit: [github.com]", false],
  ["allow: github.com", false],
  ["allow: [7]", false],
  ['block: [" "]', false],
  ["allow: {github.com: true}", false],
])("schema of trust.yaml: it and the program agree about %j", (text, isRight) => {
  expect(both(text)).toEqual([isRight, isRight]);
});
