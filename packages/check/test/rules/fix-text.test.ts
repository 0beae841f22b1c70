import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseSkill } from "#skills";
import { checkSkill } from "../../src/rules/check-skill.ts";
import { fixText } from "../../src/rules/fix-text.ts";

describe("these are corrected", () => {
  test.each<[string, string, string]>([
    ["a byte order mark", "\ufeff---\nname: a\ndescription: b\n---\n", "---\nname: a\ndescription: b\n---\n"],
    [
      "CRLF in the front matter, and only there",
      "---\r\nname: a\r\ndescription: b\r\n---\r\nText\r\n",
      "---\nname: a\ndescription: b\n---\nText\r\n",
    ],
    [
      "blanks at the end of a line",
      "--- \nname: a \t\ndescription: b\n---\nText  \n",
      "---\nname: a\ndescription: b\n---\nText  \n",
    ],
    [
      "a misspelled field",
      "---\nname: a\ndescription: b\nlicence: MIT\n---\n",
      "---\nname: a\ndescription: b\nlicense: MIT\n---\n",
    ],
    [
      "a misspelled required field",
      "---\nname: a\ndesciption: b\n---\n",
      "---\nname: a\ndescription: b\n---\n",
    ],
    [
      "a description with a colon",
      '---\nname: a\ndescription: Use when: "asked" \\ told\n---\n',
      '---\nname: a\ndescription: "Use when: \\"asked\\" \\\\ told"\n---\n',
    ],
    [
      "a value with a colon above other fields",
      "---\ndescription: Use when: asked\nname: a\n---\n",
      '---\ndescription: "Use when: asked"\nname: a\n---\n',
    ],
    [
      "a value with a colon above a blank line",
      "---\nname: a\ndescription: Use when: asked\n\nlicense: MIT\n---\n",
      '---\nname: a\ndescription: "Use when: asked"\n\nlicense: MIT\n---\n',
    ],
    [
      "blanks in a description, which has one space for each white space",
      "---\nname: a\ndescription: |\n  b  \n  c\n---\n",
      "---\nname: a\ndescription: |\n  b\n  c\n---\n",
    ],
    ["CRLF in a file without a name", "---\r\ndescription: b\r\n---\r\n", "---\ndescription: b\n---\n"],
    [
      "one of two misspellings of a field",
      "---\nname: a\ndescription: b\nlicence: X\nlicens: Y\n---\n",
      "---\nname: a\ndescription: b\nlicense: X\nlicens: Y\n---\n",
    ],
  ])("%s", (_, text, expected) => {
    expect(fixText(text).text).toBe(expected);
    expect(fixText(expected)).toEqual({ text: expected, rules: [] });
  });
});

describe("these stay as they are", () => {
  test.each([
    [
      "a misspelled field beside the right one",
      "---\nname: a\ndescription: b\nlicence: X\nlicense: MIT\n---\n",
    ],
    ...[
      "allowed_tools: Bash",
      "alowed-tools: Read",
      "Hooks: {Stop: []}",
      "modle: x",
      "isallowed-tools: Bash",
    ].map((line): [string, string] => [
      `a misspelled field that agents would act on: ${line}`,
      `---\nname: a\ndescription: b\n${line}\n---\n`,
    ]),
    [
      "a front matter that agents cannot read yet, and that grants tools",
      "---\nname: a\ndescription: Use when: asked\nallowed-tools: Bash\n---\n",
    ],
    [
      "a misspelled required field beside one that grants tools",
      "---\nname: a\ndesciption: b\nallowed-tools: Bash\n---\n",
    ],
    ["a field of its author", "---\nname: a\ndescription: b\nversion: 1\nmood: good\n---\n"],
    [
      "a description of several lines that is not YAML",
      "---\nname: a\ndescription: Use when: x\n  and: y\n---\n",
    ],
    ["blanks that a value keeps", "---\nname: a\ndescription: b\nnotes: |\n  c  \n  d\n---\n"],
    [
      "blanks without which a line would close the front matter",
      `---\nname: a\ndescription: b\n---${" ".repeat(198)}\nText.`,
    ],
    ["a description that begins with a bracket", "---\nname: a\ndescription: [beta] Use it\n---\n"],
    ["a colon without a space after it", "---\nname: a\ndescription:Use it\n---\n"],
    ["a field without a value", "---\nname: a\ndescription: b\nlicense:\n---\n"],
    ["no front matter", "# Title\n"],
    ["nothing", ""],
  ])("%s", (_, text) => {
    expect(fixText(text)).toEqual({ text, rules: [] });
  });
});

test("whatever the text is: the body keeps its bytes, the skill says the same, and a second time changes nothing", () => {
  const line = fc.oneof(
    fc.constantFrom(
      "name: a",
      "Name: a",
      "description: Use when: b",
      "desciption: b ",
      "licence: MIT",
      "userInvocable: yes",
    ),
    fc.constantFrom(
      "metadata:",
      "  key: value  ",
      "allowed_tools: Read",
      "description: |",
      "  text  ",
      "- x",
      "---",
      "",
    ),
    fc.string(),
  );
  const end = fc.constantFrom("\n", "\r\n", "\r");
  const anyText = fc
    .tuple(fc.boolean(), fc.array(fc.tuple(line, end), { maxLength: 8 }), fc.string())
    .map(([bom, lines, body]) => `${bom ? "\ufeff" : ""}---\n${lines.flat().join("")}---\n${body}`);
  fc.assert(
    fc.property(anyText, (text) => {
      const fixed = fixText(text);
      expect(fixText(fixed.text)).toEqual({ text: fixed.text, rules: [] });
      const [before, after] = [parseSkill(text), parseSkill(fixed.text)];
      if (!before.ok) return;
      if (!after.ok) throw new Error("The corrected skill is none.");
      expect(fixed.text.slice(after.skill.bodyStart)).toBe(text.slice(before.skill.bodyStart));
      const { name, description } = before.skill;
      expect(after.skill).toMatchObject({ name, description });
    }),
    { numRuns: 120 },
  );
});

test.each([
  [
    "a misspelled field",
    "---\nname: a\ndescription: Does b.\nallowed_tools: Bash\n---\nText.\n",
    "field-spelling",
  ],
  [
    "a value with a colon beside tools",
    "---\nname: a\ndescription: Use when: asked\nallowed-tools: Bash\n---\nText.\n",
    "front-matter-recovered",
  ],
])("%s that is not corrected says why", (_, text, rule) => {
  const { findings } = checkSkill({ text, fileName: "SKILL.md", folder: "a", files: new Set() });
  expect(findings.find((finding) => finding.rule === rule)?.message).toContain("`--fix` does not change it");
});

test("a skill that is corrected breaks none of the rules that were named", () => {
  const text = "\ufeff---\r\nname: a \r\ndescription: Use when: b\r\nlicence: MIT\r\n---\r\nText.\r\n";
  const { text: fixed, rules } = fixText(text);
  const left = checkSkill({ text: fixed, fileName: "SKILL.md", folder: "a", files: new Set() }).findings;
  expect(rules).toEqual(["bom", "crlf", "trailing-blanks", "field-spelling", "front-matter-recovered"]);
  expect(left.filter(({ rule }) => rules.includes(rule))).toEqual([]);
});
