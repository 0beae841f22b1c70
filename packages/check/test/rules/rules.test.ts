import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ParsedSkill } from "#skills";
import { checkRules } from "../../src/rules/rules.ts";

const DESCRIPTION = "Reads and fills PDF forms. Use when someone has a PDF file.";

interface Case {
  readonly name?: string;
  readonly folder?: string;
  readonly description?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly body?: string;
}

/** The rules that a skill breaks; it is a good one but for what the case says. */
function findings({
  name = "pdf",
  folder = name,
  description = DESCRIPTION,
  fields = {},
  body = "# PDF\n",
}: Case) {
  const skill: ParsedSkill = {
    name,
    description,
    fields: { name, description, ...fields },
    bodyStart: 0,
    warnings: [],
  };
  return checkRules(skill, folder, body);
}

const broken = (given: Case) => findings(given).map(({ rule }) => rule);

test("a good skill with every known field breaks no rule", () => {
  const fields = {
    license: "MIT",
    compatibility: "Needs git.",
    metadata: { author: "me", version: "1.0" },
    "allowed-tools": "Read Bash(git:*)",
  };
  expect(findings({ fields })).toEqual([]);
});

describe("these keep the rules", () => {
  test.each<[string, Case]>([
    ["a name of letters, digits and hyphens", { name: "pdf-2-text" }],
    ["a name of digits", { name: "2024" }],
    ["a name of 64 characters", { name: "a".repeat(64) }],
    ["a description of 1,024 characters", { description: "a".repeat(1024) }],
    ["a description of 1,024 emoji", { description: "😀".repeat(1024) }],
    ["a compatibility of one character", { fields: { compatibility: "a" } }],
    ["a compatibility of 500 characters", { fields: { compatibility: "a".repeat(500) } }],
    ["a compatibility of 500 emoji", { fields: { compatibility: "😀".repeat(500) } }],
    ["empty metadata", { fields: { metadata: {} } }],
    ["emoji joined without a visible sign", { description: `${DESCRIPTION} 👨‍👩‍👧` }],
    ["a description of 40 characters", { description: "a".repeat(40) }],
    ["a body of 500 lines", { body: "line\n".repeat(500) }],
  ])("%s", (_, given) => {
    expect(broken(given)).toEqual([]);
  });
});

describe("these break a rule of the specification", () => {
  test.each<[string, Case, string, string]>([
    ["a name in capitals", { name: "PDF" }, "name-characters", "name"],
    ["a name with a space", { name: "my pdf" }, "name-characters", "name"],
    ["a name with an underscore", { name: "my_pdf" }, "name-characters", "name"],
    ["a name with a line break", { name: "pdf\n" }, "name-characters", "name"],
    ["a name with letters beyond a-z", { name: "école" }, "name-characters", "name"],
    ["a name of 65 characters", { name: "a".repeat(65) }, "name-length", "name"],
    ["a name that begins with a hyphen", { name: "-pdf" }, "name-hyphens", "name"],
    ["a name that ends with a hyphen", { name: "pdf-" }, "name-hyphens", "name"],
    ["a name with two hyphens in a row", { name: "pdf--x" }, "name-hyphens", "name"],
    ["a folder of another name", { folder: "other" }, "name-is-folder", "name"],
    ["a folder of another case", { folder: "PDF" }, "name-is-folder", "name"],
    [
      "a description of 1,025 characters",
      { description: "a".repeat(1025) },
      "description-length",
      "description",
    ],
    ["an empty compatibility", { fields: { compatibility: "" } }, "compatibility", "compatibility"],
    [
      "a long compatibility",
      { fields: { compatibility: "a".repeat(501) } },
      "compatibility",
      "compatibility",
    ],
    [
      "a compatibility that is a list",
      { fields: { compatibility: ["a"] } },
      "compatibility",
      "compatibility",
    ],
    [
      "a compatibility without a value",
      { fields: { compatibility: null } },
      "compatibility",
      "compatibility",
    ],
    ["a license that is a map", { fields: { license: { name: "MIT" } } }, "license", "license"],
    ["metadata that is a text", { fields: { metadata: "x" } }, "metadata", "metadata"],
    ["metadata that is a list", { fields: { metadata: ["x"] } }, "metadata", "metadata"],
    ["metadata without a value", { fields: { metadata: null } }, "metadata", "metadata"],
    ["a number in metadata", { fields: { metadata: { version: 1 } } }, "metadata", "metadata"],
    ["a boolean in metadata", { fields: { metadata: { draft: true } } }, "metadata", "metadata"],
    ["a number for internal", { fields: { metadata: { internal: 1 } } }, "metadata", "metadata"],
    ["a license without a value", { fields: { license: null } }, "license", "license"],
    ["a list of tools", { fields: { "allowed-tools": ["Read"] } }, "allowed-tools", "allowed-tools"],
  ])("%s", (_, given, rule, field) => {
    expect(findings(given)).toEqual([{ severity: "error", rule, field, message: expect.any(String) }]);
  });
});

describe("these are only advised against", () => {
  test.each<[string, Case, string, string | undefined]>([
    ["fields that nobody specified", { fields: { version: "1", mood: "x" } }, "unknown-fields", "version"],
    ["another spelling of a field", { fields: { userInvocable: true } }, "field-spelling", "userInvocable"],
    ["a very short description", { description: "a".repeat(39) }, "description-says-when", "description"],
    ["an empty body", { body: "" }, "empty-body", undefined],
    ["a body of white space", { body: "\n \t\n" }, "empty-body", undefined],
    ["a body of 501 lines", { body: "line\n".repeat(501) }, "body-length", undefined],
  ])("%s", (_, given, rule, field) => {
    const expected = { severity: "advice", rule, message: expect.any(String) as unknown };
    expect(findings(given)).toEqual([field === undefined ? expected : { ...expected, field }]);
  });
});

test.each([
  ["licence", "No agent knows the field 'licence'. Did you mean 'license'?"],
  ["userInvocable", "'userInvocable' is read as 'user-invocable', but other agents know only that spelling."],
])("the advice about the field %s says whether it counts", (field, message) => {
  expect(findings({ fields: { [field]: "x" } })[0]?.message).toContain(message);
});

test("unknown fields are all named", () => {
  expect(findings({ fields: { version: "1", mood: "x" } })[0]?.message).toContain("'version', 'mood'");
});

test("fields of hosts are known, and internal may be a boolean, as installers read it", () => {
  const fields = { model: "opus", hooks: {}, "user-invocable": false, metadata: { internal: true } };
  expect(findings({ fields })).toEqual([]);
});

test("a skill may break many rules at once", () => {
  const rules = broken({ name: "-My PDF", folder: "pdf", description: "x", body: "" });
  expect(rules).toEqual([
    "name-characters",
    "name-hyphens",
    "name-is-folder",
    "description-says-when",
    "empty-body",
  ]);
});

test.each([
  ["My PDF Tool", "my-pdf-tool"],
  ["my_pdf", "my-pdf"],
  ["-My PDF-", "my-pdf"],
  ["Café", "cafe"],
  ["Éclair maker", "eclair-maker"],
  ["naïve", "naive"],
])("for the name '%s' the better '%s' is suggested", (name, better) => {
  expect(findings({ name })[0]?.message).toContain(`Try '${better}'.`);
});

test("a suggested name that had to be cut does not end in a hyphen", () => {
  const [tooLong] = findings({ name: `${"a".repeat(63)} b` });
  expect(tooLong?.message).toContain(`Try '${"a".repeat(63)}'.`);
});

test("no name is suggested where nothing is left of it", () => {
  expect(findings({ name: "日本語" })[0]?.message).toContain("Choose another name.");
});

test("a suggested name breaks no rule itself", () => {
  const unit = fc.constantFrom("a", "B", " ", "-", "é", "_", "abcdefgh ", "字");
  fc.assert(
    fc.property(fc.string({ unit, minLength: 1, maxLength: 80 }), (name) => {
      const better = /Try '(.*)'\.$/.exec(findings({ name })[0]?.message ?? "")?.[1];
      if (better !== undefined) expect(broken({ name: better })).toEqual([]);
    }),
    { numRuns: 1000 },
  );
});
