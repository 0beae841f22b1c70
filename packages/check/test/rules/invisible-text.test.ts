import { expect, test } from "vitest";
import { checkInvisible } from "#skills";
import { checkSkill } from "../../src/rules/check-skill.ts";

test.each<[string, string, readonly (readonly [number, string, string])[]]>([
  ["nothing", "plain\n👩\u200D💻 é\n", []],
  ["tags are an error", "a\nb\u{E0041}\u{E0042}", [[2, "error", "2 hidden characters, such as U+E0041"]]],
  ["bidi controls are an error", "\u202Ea", [[1, "error", "a hidden character, U+202E"]]],
  ["zero width is advice", "a\n\n\u200B", [[3, "advice", "a hidden character, U+200B"]]],
  ["an error beside advice is an error", "\u200B\u202E", [[1, "error", "2 hidden characters"]]],
  ["controls are advice", "a\u001B[0m", [[1, "advice", "a hidden character, U+001B"]]],
])("%s", (_, text, expected) => {
  expect(checkInvisible(text)).toEqual(
    expected.map(([line, severity, message]) => {
      const start = `The line contains ${message}`;
      return { rule: "hidden-characters", line, severity, message: expect.stringContaining(start) as string };
    }),
  );
});

test("a text with hidden characters on every line is reported for the first 20", () => {
  expect(checkInvisible("a\u200B\n".repeat(100)).map(({ line }) => line)).toEqual(
    Array.from({ length: 20 }, (_, index) => index + 1),
  );
});

test("the lines of a body are those of the file, and each place is reported once", () => {
  const text =
    "---\nname: a\ndescription: Does\u200B this and that when a person wants it done.\n---\n\nText\u200B\n";
  const { findings } = checkSkill({ text, fileName: "SKILL.md", folder: "a", files: new Set(["SKILL.md"]) });
  expect(findings.map(({ rule, line }) => [rule, line])).toEqual([
    ["hidden-characters", 3],
    ["hidden-characters", 6],
  ]);
});
