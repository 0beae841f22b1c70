import { describe, expect, test } from "vitest";
import { parseLibrarySkill } from "../../../src/skill/parse-library-skill.ts";
import { parseSkill } from "../../../src/skill/parse-skill.ts";

const withFields = (...lines: readonly string[]): string => `---\n${lines.join("\n")}\n---\nText.\n`;

describe("hidden characters in front matter are escaped and named, wherever they are", () => {
  test.each<[string, string, string, number, number | undefined]>([
    ["plain", "description: a\u200Bb", "a\\u{200B}b", 1, 3],
    ["in quotes", 'description: "a\u202Eb\u202C"', "a\\u{202E}b\\u{202C}", 2, 3],
    ["made by an escape of YAML", 'description: "a\\U000E0041b"', "a\\u{E0041}b", 1, undefined],
    ["in a block", "description: >\n  a\n  b\u{E0041}", "a b\\u{E0041}", 1, 5],
    ["in broken YAML", "description: a: b\u200B: c", "a: b\\u{200B}: c", 1, 3],
    ["in another field", "description: a\nlicense: M\u200BIT", "a", 1, 4],
    ["in a comment", "description: a # \u{E0041}\u{E0042}", "a", 2, 3],
  ])("%s", (_, line, description, count, at) => {
    const parsed = parseSkill(withFields("name: a", line));
    if (!parsed.ok) throw new Error(parsed.problem.message);
    expect(parsed.skill.description).toBe(description);
    const found = parsed.skill.warnings.find(({ code }) => code === "hidden-characters");
    expect(found?.line).toBe(at);
    expect(found?.message).toContain(
      count === 1 ? "a hidden character, U+" : `${count} hidden characters, such as U+`,
    );
    expect(parseSkill(withFields("name: a", line), { strict: true }).ok).toBe(false);
  });

  test("invisible characters are escaped in every value, however deep", () => {
    const parsed = parseSkill(
      withFields(
        "name: a",
        "description: b",
        'metadata: {deep: ["x\\u200By", {z: "\\u202E"}], n: 1, none: null}',
      ),
    );
    expect(parsed.ok && parsed.skill.fields["metadata"]).toEqual({
      deep: ["x\\u{200B}y", { z: "\\u{202E}" }],
      n: 1,
      none: null,
    });
  });

  test("invisible characters are escaped in a library, keywords and descriptions of files included", () => {
    const text = withFields(
      "keywords: [re\u200Bact]",
      "description: a\u{E0041}",
      "assets:\n  - file: a.md\n    description: b\u202E",
    );
    expect(parseLibrarySkill(text)).toMatchObject({
      ok: true,
      skill: {
        frontMatter: {
          keywords: ["re\\u{200B}act"],
          description: "a\\u{E0041}",
          assets: [{ file: "a.md", description: "b\\u{202E}" }],
        },
        warnings: [{ code: "hidden-characters", line: 2 }],
      },
    });
    expect(parseLibrarySkill(text, { strict: true })).toMatchObject({
      ok: false,
      problem: { code: "hidden-characters" },
    });
  });

  test("invisible characters are escaped in the first sentence of a text without a description", () => {
    const parsed = parseSkill("---\nname: a\n---\nDoes\u200B it.\n", { lenient: true });
    expect(parsed.ok && parsed.skill.description).toBe("Does\\u{200B} it.");
  });
});

test.each([
  ["in the source, the first", "description: a\u200Bb\u{E0041}", "2 hidden characters, such as U+200B"],
  ["made by an escape", 'description: "a\\U000E0041b"', "a hidden character, U+E0041"],
  ["made by escapes, the first", 'description: "\\x1b\\u200b"', "2 hidden characters, such as U+001B"],
])("the warning names one that is %s", (_what, line, named) => {
  const parsed = parseSkill(withFields("name: a", line));
  expect(parsed.ok && parsed.skill.warnings[0]?.message).toContain(
    `The front matter contains ${named}, that`,
  );
});

test("the line is that of the file, wherever the front matter begins", () => {
  const text = `\n\n${withFields("name: a", "description: b", "", "license: M\u200BIT")}`;
  expect(parseSkill(text)).toMatchObject({ ok: true, skill: { warnings: [{ line: 7 }] } });
  const belowBlankLine = withFields("", "name: a", "description: b\u200B");
  expect(parseSkill(belowBlankLine)).toMatchObject({ ok: true, skill: { warnings: [{ line: 4 }] } });
  const onFirstLine = withFields("name: a\u200B", "description: b");
  expect(parseSkill(onFirstLine)).toMatchObject({ ok: true, skill: { warnings: [{ line: 2 }] } });
});

test("a name with an invisible character looks like no other", () => {
  const parsed = parseSkill(withFields("name: pd\u200Bf", "description: b"));
  expect(parsed.ok && parsed.skill.name).toBe("pd\\u{200B}f");
});

test.each([
  ["emoji and other scripts", "description: 👩\u200D💻 می\u200Cخواهم 漢字 é"],
  ["backslashes", 'description: "C:\\\\Users \\u00e9"'],
])("%s are as they were written, without a warning", (_, line) => {
  const parsed = parseSkill(withFields("name: a", line), { strict: true });
  expect(parsed.ok && parsed.skill.warnings).toEqual([]);
});
