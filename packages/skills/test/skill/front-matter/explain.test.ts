import { expect, test } from "vitest";
import { parseSkill } from "../../../src/skill/parse-skill.ts";

test.each([
  ["a colon in the name", "name: a: b\ndescription: c", 2, 'the name contains ": " without quotes'],
  ["a colon in a field", "name: a\ndescription: b\ntags: c: d", 4, '`tags` contains ": " without quotes'],
  [
    "a control character below the field",
    "name: a\ndescription: |\n  b\n  c\u0001",
    5,
    "the description contains a control character",
  ],
  ["a special character above a tab", "name: a\ndescription: b\ntags: @c\n\td", 4, '`tags` starts with "@"'],
  ["a colon above a comment", "name: a\ndescription: b\ntags: c: d\n# note", 4, '`tags` contains ": "'],
  ["a colon above a no-break space", "name: a\ndescription: b: c\n\u00a0", 3, 'contains ": "'],
  ["a colon above a blank line", "name: a\ndescription: b: c\n\nlicense: d", 3, 'contains ": "'],
  ["the same key twice", "name: a\ndescription: b\nhooks:\n  c: 1\n  c: 2", 6, "the same key twice"],
  ["a field twice", "name: a\ndescription: b\nname: c", 4, "a field is defined twice"],
  ["a malformed map", "name: a\ndescription: b\nhooks: {c", 4, "malformed list or map after `{`"],
  [
    "a bracket in the description",
    "name: a\ndescription: [b] c",
    3,
    'the description starts with "[", a special character',
  ],
  ["text on the line of a bar", "name: a\ndescription: | b", 3, "text on the same line as `|`"],
  ["text that is not indented", "name: a\ndescription: >\nb", 4, "must be indented by two spaces"],
  [
    "an error below the field",
    'name: a\ndescription: b\nmetadata:\n  c: 1\n  d: "\\q"',
    6,
    "`metadata` is not valid YAML",
  ],
  [
    "a sentence below the key",
    "name: a\ndescription:\n\n  Use when: asked",
    5,
    'the description contains ": "',
  ],
  ["text above the fields", "text\nname: a\ndescription: b", 3, "invalid YAML"],
])("%s is explained with its line", (_what, block, line, message) => {
  const result = parseSkill(`---\n${block}\n---\n`);
  expect(result.ok && result.skill.warnings[0]).toMatchObject({
    code: "front-matter-recovered",
    line,
    message: expect.stringContaining(message) as string,
  });
});
