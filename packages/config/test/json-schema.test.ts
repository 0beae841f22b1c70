import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { checkConfigFile } from "../src/check-file.ts";
import { PROFILE_SETTINGS } from "../src/declared-settings.ts";
import { settingsSchema } from "../src/json-schema.ts";
import { DECLARED, SECTIONS } from "../src/settings.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const OWNERS = { operator: settingsSchema("operator", "own"), project: settingsSchema("project", "project") };
const validator = new AjvJsonSchemaValidator();

type Owner = keyof typeof OWNERS;

/** Whether the schema accepts a text, and whether the program does, without a warning: its schema has no key that is ignored. */
function accepted(text: string, owner: Owner): { readonly schema: boolean; readonly program: boolean } {
  const { valid } = validator.getValidator<unknown>(OWNERS[owner])(load(text));
  const file = "/shop/config.yaml";
  const { problems, warnings } = checkConfigFile({ file, text, home: "/home/ann", owner });
  return { schema: valid, program: problems.length + warnings.length === 0 };
}

/** Every YAML in the docs whose keys are all sections of settings, with the file that it is for. */
const EXAMPLES = readdirSync(path.join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".md"))
  .flatMap((name) => {
    const text = readFileSync(path.join(ROOT, "docs", name), "utf8");
    return [...text.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, yaml = ""]) => [name, yaml] as const);
  })
  .filter(([, yaml]) => {
    const data: unknown = yaml.startsWith("---") ? undefined : load(yaml);
    return (
      typeof data === "object" && data !== null && Object.keys(data).every((key) => SECTIONS.includes(key))
    );
  });

test("schema of settings: the examples in the docs conform", () => {
  expect(EXAMPLES.length).toBeGreaterThan(5);
  for (const [name, yaml] of EXAMPLES) {
    const owner = yaml.includes(".skills-mcp.yaml in the project") ? "project" : "operator";
    expect([name, yaml, accepted(yaml, owner)]).toEqual([name, yaml, { schema: true, program: true }]);
  }
});

test("schema of settings: has every setting that its owner may set, and no other", () => {
  const keysOf = (schema: object) =>
    Object.entries(
      (schema as { properties: Record<string, { anyOf: { properties?: object }[] }> }).properties,
    )
      .flatMap(([section, { anyOf }]) => {
        const keys = Object.keys(anyOf[0]?.properties ?? {});
        return keys.length === 0 ? [section] : keys.map((key) => `${section}.${key}`);
      })
      .toSorted();
  const declared = (all: typeof DECLARED) => all.map(({ parts }) => parts.join("."));
  expect(keysOf(OWNERS.operator)).toEqual([...declared(DECLARED), "profiles"].toSorted());
  expect(keysOf(OWNERS.project)).toEqual(declared(DECLARED.filter(({ project }) => project)).toSorted());
  for (const key of Object.keys(PROFILE_SETTINGS))
    expect(JSON.stringify(OWNERS.operator)).toContain(`"${key}"`);
});

describe("schema of settings: what it refuses, the program refuses or ignores with a warning", () => {
  test.each<[Owner, string]>([
    ["operator", "server: {port: abc}"],
    ["operator", "server: {port: 70000}"],
    ["operator", "matching: {min_score: 2}"],
    ["operator", "matching: [0.2]"],
    ["operator", "refresh: {enabled: yes please}"],
    ["operator", "scripts: {allowed_extensions: [sh]}"],
    ["operator", "scripts: {runners: {py: python3}}"],
    ["operator", "scripts: {sandbox: sometimes}"],
    ["operator", "audit: {block: terrible}"],
    ["operator", "repos: acme/skills"],
    ["operator", "profiles: {web: {only: [a]}}"],
    ["operator", "serwer: {port: 4700}"],
    ["project", "server: {port: 4700}"],
    ["project", "profiles: {web: {include: [a]}}"],
    ["project", "server: {description_budget: 0}"],
  ])("%s: %s", (owner, text) => {
    expect(accepted(text, owner)).toEqual({ schema: false, program: false });
  });
});

test("schema of settings: a file that names it in its first line is read as before", () => {
  const first = "# yaml-language-server: $schema=./schemas/config.schema.json\n";
  expect(accepted(`${first}matching: {max_results: 5}\n`, "operator")).toEqual({
    schema: true,
    program: true,
  });
});
