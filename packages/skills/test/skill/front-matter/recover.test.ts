import { describe, expect, test } from "vitest";
import { recoverFields } from "../../../src/skill/front-matter/recover.ts";
import { parseSkill } from "../../../src/skill/parse-skill.ts";

const skill = (fields: string) => `---\nname: a\n${fields}\n---\n# Body\n`;

describe("a description that is no YAML is read as a person reads it", () => {
  test.each([
    [
      "an unquoted colon",
      "description: Use when: asked",
      "Use when: asked",
      3,
      'contains ": " without quotes',
    ],
    [
      "a colon on the next line",
      "description: Use it\n  when: asked",
      "Use it when: asked",
      4,
      'contains ": "',
    ],
    [
      "a sentence that reads as a map",
      "description:\n  Use when: asked",
      "Use when: asked",
      4,
      'contains ": "',
    ],
    ["a quote never closed", 'description: "Use it', "Use it", 3, "quotes of the description do not match"],
    ["quotes inside quotes", 'description: "Say "hi" now"', 'Say "hi" now', 3, "quotes"],
    ["an apostrophe inside quotes", "description: 'It's here'", "It's here", 3, "quotes"],
    ["words in quotes", 'description: "This" and "that"', '"This" and "that"', 3, "quotes"],
    ["text after quotes", 'description: "This" and: that', '"This" and: that', 3, "quotes"],
    ["text after single quotes", "description: 'This' and: that", "'This' and: that", 3, "quotes"],
    ["white space in single quotes", "description: ' It's here '", "It's here", 3, "quotes"],
    ["white space in open single quotes", "description: ' Use it", "Use it", 3, "quotes"],
    ["a doubled quote", "description: 'Don''t' stop'", "Don't' stop", 3, "quotes"],
    ["escapes in open quotes", 'description: "a\\nb\\tc', "a b c", 3, "quotes"],
    ["text after a single-quoted line", "description: 'One.'\n  Two: x", "One. Two: x", 3, "quotes"],
    ["text after an empty text", 'description: ""\n  more: x', "more: x", 3, "quotes"],
    ["text after a quoted bracket", 'description: "[a"\n  more: x', "[a more: x", 3, "quotes"],
    ["an escape before the end", 'description: "Say \\"hi\\""\n  more: x', 'Say "hi" more: x', 3, "quotes"],
    ["text after a quoted line", 'description: "First."\n  Second.', "First. Second.", 3, "quotes"],
    [
      "an escape in broken quotes",
      'description: "Say \\"hi\\"\nnow"',
      'Say "hi" now',
      4,
      "without indentation",
    ],
    ["text beside a bar", "description: | Use it", "Use it", 3, "same line as `|`"],
    [
      "text beside a bar, going on",
      "description: |- Use it\n  Note: now",
      "Use it Note: now",
      3,
      "same line",
    ],
    ["text beside an angle", "description: >- Use it", "Use it", 3, "same line as `>`"],
    ["text right after a bar", "description: |Use it", "Use it", 3, "same line"],
    ["a comparison", "description: >80% done: yes", ">80% done: yes", 3, ""],
    ["block text at the margin", "description: |\nUse it\nnow", "Use it now", 5, "must be indented"],
    ["block text that moves left", "description: |\n    Use it\n  now", "Use it now", 5, "must be indented"],
    ["tabs as indentation", "description:\n\tUse it\n\tnow: yes", "Use it now: yes", 4, "a tab"],
    ["bold text", "description: **Bold** text", "**Bold** text", 3, 'starts with "*"'],
    ["a bullet", "description: * text", "* text", 3, 'starts with "*"'],
    ["an ampersand", "description: & more", "& more", 3, 'starts with "&"'],
    ["an at sign", "description: @me", "@me", 3, 'starts with "@"'],
    ["code", "description: `ls` lists", "`ls` lists", 3, 'starts with "`"'],
    ["a percent sign", "description: %d things", "%d things", 3, 'starts with "%"'],
    ["an exclamation mark", "description: !important", "!important", 3, 'starts with "!"'],
    ["a bracketed word", "description: [beta] Use it", "[beta] Use it", 3, 'starts with "["'],
    ["brackets in brackets", "description: [a [b]] c", "[a [b]] c", 3, 'starts with "["'],
    ["a word in braces", "description: {x} then y", "{x} then y", 3, 'starts with "{"'],
    ["a comment below", "description: Use: it\n# note\n  more", "Use: it more", 3, 'contains ": "'],
    ["a dash", "description: - text", "- text", 3, 'starts with "-"'],
    [
      "a loose list",
      "description: Does:\n- this\n- that\n\nAnd more.",
      "Does: - this - that And more.",
      4,
      "without indentation",
    ],
    [
      "prose at the margin",
      "description: Use it\nNow and\nNote: then",
      "Use it Now and Note: then",
      4,
      "without indentation",
    ],
    [
      "a quoted text at the margin",
      'description: "Use it\nNote: now"',
      "Use it Note: now",
      4,
      "without indentation",
    ],
    ["a stray space before the key", " description: Use it", "Use it", 3, "start of a line"],
    ["no space after the colon", "description:Use it", "Use it", 3, "a space after it"],
    ["a full-width colon", "description：Use it", "Use it", 3, "a plain colon"],
    ["a field given twice", "description: Use it\ndescription: other", "Use it", 4, "twice"],
  ])("%s", (_, source, description, line, hint) => {
    const result = parseSkill(skill(`${source}\nlicense: MIT`));
    expect(result).toMatchObject({
      ok: true,
      skill: {
        name: "a",
        description,
        fields: { license: "MIT" },
        warnings: [
          { code: "front-matter-recovered", line, message: expect.stringContaining(hint) as string },
        ],
      },
    });
    expect(result.ok && result.skill.warnings[0]?.message).toMatch(/^Front matter is not valid YAML.*\.$/s);
  });
});

test("a control character is no YAML, and read as an escape", () => {
  expect(parseSkill(skill("description: a\u0001b"))).toMatchObject({
    ok: true,
    skill: {
      description: "a\\u{1}b",
      warnings: [
        { code: "front-matter-recovered", message: expect.stringContaining("a control character") as string },
        { code: "hidden-characters", line: 3 },
      ],
    },
  });
});

describe("a fault in another field does not touch name and description", () => {
  test.each([
    ["an unclosed map", 'metadata: {"a": 1', "malformed list or map"],
    ["a list without commas", "tags: [a b], c", "malformed list or map"],
    ["a nested key given twice", "hooks:\n  a: 1\n  a: 2", "same key twice"],
    ["a bad escape", 'metadata:\n  emoji: "\\U+1F600"', "hexadecimal"],
    ["an alias", "x: *y", 'starts with "*"'],
    ["a list at the margin", "triggers:\n\n* one\n* two", "without indentation"],
  ])("%s", (_, source, hint) => {
    for (const text of [`description: |\n  Use\n  it\n${source}`, `${source}\ndescription: "Use\\tit"`]) {
      expect(parseSkill(skill(text))).toMatchObject({
        ok: true,
        skill: {
          name: "a",
          description: "Use it",
          warnings: [{ code: "front-matter-recovered", message: expect.stringContaining(hint) as string }],
        },
      });
    }
  });

  test("fields that are YAML on their own keep their values", () => {
    const result = parseSkill(skill("description: a: b\nmetadata:\n  tags: [x, 1]\nbroken: [\nodd: c: d"));
    expect(result.ok && result.skill.fields).toEqual({
      name: "a",
      description: "a: b",
      metadata: { tags: ["x", 1] },
      odd: "c: d",
    });
  });
});

test("a block that is indented as a whole is recovered too", () => {
  expect(parseSkill("---\n  name: a\n  description: b: c\n---\n")).toMatchObject({
    ok: true,
    skill: { name: "a", description: "b: c" },
  });
});

test("a name nested in another field is not the name of the skill", () => {
  expect(parseSkill("---\nmetadata:\n  name: a\ndescription: b: c\n---\n")).toMatchObject({
    ok: false,
    problem: { code: "missing-name" },
  });
});

test.each([
  ["nothing", "description:\ndescription: Use: it"],
  ["null", "description: null\ndescription: Use: it"],
  ["an empty text", 'description: ""\ndescription: Use: it'],
  ["white space", 'description: " "\ndescription: Use: it'],
])("a field that is first %s has the value of the second", (_what, source) => {
  expect(parseSkill(skill(source))).toMatchObject({ ok: true, skill: { description: "Use: it" } });
});

test("a field that is defined twice has its first value", () => {
  const source = "description: Use: it\ndescription: Or not";
  expect(parseSkill(skill(source))).toMatchObject({ ok: true, skill: { description: "Use: it" } });
});

test.each([
  [3, true],
  [4, false],
])("a description indented by %i spaces below the name is a field: %s", (spaces, ok) => {
  expect(parseSkill(`---\nname: a\n${" ".repeat(spaces)}description: b\n---\n`).ok).toBe(ok);
});

test.each([
  ["brackets that are not all closed", "name: a\ndescription: [a [b] c"],
  ["a brace that is never closed", "name: a\ndescription: {a: b"],
  ["an open bracket and then a value", "name: a\ndescription: [b\ndescription: c"],
])("a description with %s is unreadable", (_what, fields) => {
  const result = parseSkill(`---\n${fields}\n---\n`);
  expect(result).toMatchObject({ ok: false, problem: { code: "front-matter-unreadable", line: 3 } });
});

test.each([
  ["broken quotes", "license: ' It's here '", "It's here"],
  ["quotes that are never closed", "license: ' It is here", "It is here"],
])("white space inside %s is not part of a value", (_what, line, license) => {
  const result = parseSkill(skill(`description: b\n${line}`));
  expect(result).toMatchObject({ ok: true, skill: { fields: { license } } });
});

test("a map in another field stays one, whatever its keys are", () => {
  const result = parseSkill(skill("description: b: c\nmetadata:\n  Use when: asked"));
  expect(result).toMatchObject({ ok: true, skill: { fields: { metadata: { "Use when": "asked" } } } });
});

test("of many fields the first 64 are read as YAML, and the others as plain values or text", () => {
  const lines = Array.from({ length: 65 }, (_, at) => `k${at}: [x]`);
  const { fields } = recoverFields([...lines, "n: 12"].join("\n"), { reason: "" });
  expect([fields["k63"], fields["k64"], fields["n"]]).toEqual([["x"], "[x]", 12]);
});

test.each([
  ["a malformed list", "tags: [a b], c", 4],
  ["a special character", "tags: @b", 4],
  ["quotes that do not match", "tags: 'it's", 4],
  ["text beside a bar", "tags: | b", 4],
  ["an unquoted colon", "tags: b: c", 4],
  ["a tab below the field", "tags:\n\t- b: c\n\td", 5],
  ["a line at the margin", "tags: b\nc", 5],
])("the warning about %s names its line", (_what, source, line) => {
  const result = parseSkill(`---\nname: a\ndescription: b\n${source}\n---\n`);
  expect(result).toMatchObject({ ok: true, skill: { warnings: [{ code: "front-matter-recovered", line }] } });
});
