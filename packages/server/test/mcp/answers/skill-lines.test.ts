import fc from "fast-check";
import { expect, test } from "vitest";
import { skillLines } from "../../../src/mcp/answers/skill-lines.ts";

const skillsOf = (count: number, description: string) =>
  Array.from({ length: count }, (_, index) => ({ name: `skill-${index}`, description }));

test.each<[string, Parameters<typeof skillLines>[0], string | undefined]>([
  ["no skills are no text", [], undefined],
  [
    "each skill is a line",
    [
      { name: "pdf", description: "Reads PDF files." },
      { name: "office:docx", description: "Writes." },
    ],
    "- pdf: Reads PDF files.\n- office:docx: Writes.",
  ],
  [
    "line breaks, tabs and control characters become spaces",
    [{ name: "a\u001b[31mb", description: "One.\r\n- fake: Two.\t\u2028Three.\n" }],
    "- a [31mb: One. - fake: Two. Three.",
  ],
  [
    "long texts are cut",
    [{ name: "n".repeat(300), description: "d".repeat(2_000) }],
    `- ${"n".repeat(199)}…: ${"d".repeat(1_023)}…`,
  ],
])("skill lines: %s", (_what, skills, expected) => {
  expect(skillLines(skills)).toBe(expected);
});

test("skill lines: the last line counts the skills that do not fit", () => {
  const lines = skillLines(skillsOf(10_000, "Does one thing."))?.split("\n") ?? [];
  expect(lines.at(-1)).toBe(`… and ${10_000 - (lines.length - 1)} more`);
  expect(lines.length).toBeGreaterThan(500);
});

test("skill lines: for any skills, keep their order and the limit, and every skill has a line or is counted", () => {
  const skill = fc.record({
    name: fc.string({ maxLength: 400 }),
    description: fc.string({ unit: "grapheme" }),
  });
  fc.assert(
    fc.property(fc.array(skill, { maxLength: 50 }), fc.integer({ min: 1, max: 400 }), (some, times) => {
      const skills = Array.from({ length: times }, () => some).flat();
      const text = skillLines(skills);
      if (text === undefined) return skills.length === 0;
      const lines = text.split("\n");
      const rest = Number(/^… and (\d+) more$/.exec(lines.at(-1) ?? "")?.[1] ?? 0);
      const listed = lines.slice(0, rest > 0 ? -1 : undefined);
      const alone = skills.slice(0, listed.length).map((one) => skillLines([one]));
      expect(listed).toEqual(alone);
      expect(listed.length + rest).toBe(skills.length);
      return text.length <= 20_000;
    }),
    { numRuns: 200 },
  );
});
