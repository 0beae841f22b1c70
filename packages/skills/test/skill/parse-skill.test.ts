import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findFrontMatter } from "../../src/skill/front-matter/split.ts";
import { isMissingField, parseSkill } from "../../src/skill/parse-skill.ts";

const GOOD = "---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n";

describe("a skill that loads without a word", () => {
  test.each([
    ["has plain front matter", GOOD],
    ["begins with a byte order mark", `\ufeff${GOOD}`],
    ["has CRLF line ends", GOOD.replaceAll("\n", "\r\n")],
    ["has lone CR line ends", GOOD.replaceAll("\n", "\r")],
    ["begins with blank lines", `\n  \n${GOOD}`],
    ["has white space after its marks", GOOD.replaceAll("---", "--- \t")],
    ["says that it is YAML", GOOD.replace("---", "---yaml")],
    ["has a comment after the opening mark", GOOD.replace("---", "--- # settings")],
    ["closes with three dots", "---\nname: pdf\ndescription: Reads PDF files.\n...\n# PDF\n"],
    ["quotes its values", "---\nname: \"pdf\"\ndescription: 'Reads PDF files.'\n---\n# PDF\n"],
    ["folds its description", "---\nname: pdf\ndescription: >\n  Reads\n  PDF files.\n---\n# PDF\n"],
    ["spreads white space", "---\nname:   pdf  \ndescription: |\n  Reads\tPDF\n\n  files.\n---\n# PDF\n"],
  ])("%s", (_, text) => {
    const result = parseSkill(text, { strict: true });
    expect(result).toMatchObject({
      ok: true,
      skill: { name: "pdf", description: "Reads PDF files.", warnings: [] },
    });
    expect(result.ok && text.slice(result.skill.bodyStart).trim()).toBe("# PDF");
  });
});

test.each([
  ["2024", "2024"],
  ["1.10", "1.10"],
  ["0x1F # hexadecimal", "0x1F"],
  ["true", "true"],
  ["2024-01-31", "2024-01-31"],
])("a name written %s is read as its author typed it", (written, name) => {
  expect(parseSkill(`---\nname: ${written}\ndescription: x\n---\n`)).toMatchObject({
    ok: true,
    skill: { name },
  });
});

test.each([
  ["below its key", "name:\n  2024\ndescription: x", "2024"],
  ["below other fields", "description: x\nlicense: MIT\nname: 1.10", "1.10"],
])("a number %s is the name", (_where, fields, name) => {
  expect(parseSkill(`---\n${fields}\n---\n`)).toMatchObject({ ok: true, skill: { name } });
});

test("every field is kept as data", () => {
  const result = parseSkill("---\nname: a\ndescription: b\nversion: 2\nmetadata:\n  deep: {er: [1]}\n---\n");
  expect(result.ok && result.skill.fields).toEqual({
    name: "a",
    description: "b",
    version: 2,
    metadata: { deep: { er: [1] } },
  });
});

describe("a text that is no skill is refused with a reason", () => {
  test.each([
    ["", "no-front-matter"],
    ["# Title\n\nText.", "no-front-matter"],
    ["---\nA rule and some text.\n", "no-front-matter"],
    ["+++\nname = 'toml'\n+++\n", "no-front-matter"],
    ["----\nname: a\ndescription: b\n----\n", "no-front-matter"],
    [`${"line\n".repeat(50)}---\nname: a\ndescription: b\n---\n`, "no-front-matter"],
    ["# Title\n---\nname: a\n---\ndescription: b\n", "no-front-matter"],
    ["---js\nname: a\ndescription: b\n---\n", "front-matter-language"],
    ["--- javascript\n{}\n---\n", "front-matter-language"],
    ["---json\n{}\n---\n", "front-matter-language"],
    ["---coffee\n", "front-matter-language"],
    ["---\n---\n", "missing-name"],
    ["---\n# nothing yet\n---\n", "missing-name"],
    ["---\ndescription: b\n---\n", "missing-name"],
    ["---\nname: ''\ndescription: b\n---\n", "missing-name"],
    ["---\nname: ~\ndescription: b\n---\n", "missing-name"],
    ["---\nname: a\n---\n", "missing-description"],
    ["---\nname: a\ndescription: |\n---\n", "missing-description"],
    ["---\nname: a\ndescription: [unclosed\n---\n", "front-matter-unreadable"],
    ["---\nname: {\ndescription: b\n---\n", "front-matter-unreadable"],
    ["---\nname: a\ndescription: [a, list]\n---\n", "front-matter-unreadable"],
    ["---\nname: a\ndescription:\n  short: b\n  long: c\n---\n", "front-matter-unreadable"],
  ])("%j: %s", (text, code) => {
    expect(parseSkill(text)).toMatchObject({ ok: false, problem: { code } });
  });

  test("a field in capitals is named", () => {
    expect(parseSkill("---\nName: a\ndescription: b\n---\n")).toMatchObject({
      problem: { code: "missing-name", message: expect.stringContaining("`Name`") as string },
    });
  });

  test("an unreadable field is named with its line", () => {
    expect(parseSkill("---\nname: a\ndescription: [b\n---\n")).toMatchObject({ problem: { line: 3 } });
  });
});

describe("a skill that loads with a warning is refused when strict", () => {
  test.each([
    ["# Title\n\n---\nname: a\ndescription: b\n---\n# B", "text-before-front-matter"],
    ["<!-- generated -->\n---\nname: a\ndescription: b\n---\n# B", "text-before-front-matter"],
    ["```yaml\n---\nname: a\ndescription: b\n---\n# B", "text-before-front-matter"],
    ["---\nname: a\ndescription: b\n\n# B", "front-matter-unclosed"],
    ["---\nname: a\ndescription: b\n# B", "front-matter-unclosed"],
    ["---\nname: a\ndescription: b\n ---\n# B", "front-matter-unclosed"],
    ["---\nname: a\ndescription: b\n-----\n# B", "front-matter-unclosed"],
    ["---\nname: a\nd: c: d\ndescription: b\n---\n# B", "front-matter-recovered"],
  ])("%j: %s", (text, code) => {
    const result = parseSkill(text);
    expect(result).toMatchObject({ ok: true, skill: { name: "a", description: "b", warnings: [{ code }] } });
    expect(result.ok && text.slice(result.skill.bodyStart)).toBe("# B");
    expect(parseSkill(text, { strict: true })).toMatchObject({ ok: false, problem: { code } });
  });

  test("headings alone before a closing line are comments, not the body", () => {
    const text = "---\nname: a\ndescription: b: c\n\n# Title\n\n## Part\n---\nText.";
    const result = parseSkill(text);
    expect(result).toMatchObject({ ok: true, skill: { warnings: [{ code: "front-matter-recovered" }] } });
    expect(result.ok && text.slice(result.skill.bodyStart)).toBe("Text.");
  });

  test.each([
    ["both fields and no heading", "---\nname: a\ndescription: b\nlicense: c", true],
    ["no description", "---\nname: a\nlicense: c", false],
    ["no name", "---\ndescription: b\nlicense: c", false],
    ["a heading before the description", "---\nname: a\n\n# T\ndescription: b", false],
    ["a comment before the description", "---\nname: a\n# T\ndescription: b", true],
    ["a comment after a blank line and a field", "---\nname: a\n\nlicense: c\n# T\ndescription: b", true],
    ["a code fence before the description", "---\nname: a\n```\ndescription: b", false],
    ["text instead of a first field", "---\nSome text.\nname: a\ndescription: b", false],
    ["an indented first field", "---\n name: a\ndescription: b", false],
  ])("front matter that is never closed, with %s, is a skill: %s", (_what, text, ok) => {
    expect(parseSkill(text).ok).toBe(ok);
  });

  test.each([
    [49, true],
    [50, false],
  ])("front matter after %i lines of other text is found: %s", (lines, ok) => {
    expect(parseSkill(`${"text\n".repeat(lines)}---\nname: a\ndescription: b\n---\n`).ok).toBe(ok);
  });

  test.each([
    [197, true],
    [198, false],
  ])("a closing line may have up to 200 characters: %i spaces close it: %s", (spaces, closes) => {
    const text = `---\nname: a\ndescription: b\n---${" ".repeat(spaces)}\nText.`;
    const result = parseSkill(text);
    expect(result.ok && result.skill.warnings.length === 0).toBe(closes);
  });

  test("a rule in the body does not close front matter that a heading has ended", () => {
    const text = "---\nname: a\ndescription: b\n\n# B\n\nText.\n\n---\n\nMore.";
    const result = parseSkill(text);
    expect(result).toMatchObject({
      ok: true,
      skill: { description: "b", warnings: [{ code: "front-matter-unclosed" }] },
    });
    expect(result.ok && text.slice(result.skill.bodyStart)).toBe("# B\n\nText.\n\n---\n\nMore.");
  });
});

describe("a field that is missing or empty", () => {
  test.each([
    [
      "description: b",
      "missing-name",
      "`name` is missing in the front matter. Add a line such as `name: my-skill`.",
    ],
    ["name:\ndescription: b", "missing-name", "`name` is empty in the front matter."],
    ["Name: a\ndescription: b", "missing-name", " Write `Name` in lower case."],
    ["name: a", "missing-description", "`description` is missing in the front matter."],
    [
      "name: a\ndescription: ' '\nDESCRIPTION: b",
      "missing-description",
      " Write `DESCRIPTION` in lower case.",
    ],
  ])("%j: %s: %s", (block, code, message) => {
    const result = parseSkill(`---\n${block}\n---\n`);
    expect(result).toMatchObject({ ok: false, problem: { code } });
    expect(result.ok ? "" : result.problem.message).toContain(message);
    expect(result.ok || result.problem.message.includes(" Write `")).toBe(/[A-Z]/.test(block));
  });
});

describe("a misspelled name or description", () => {
  test.each([
    ["nam: a\ndescription: b", "nam"],
    ["Nmae: a\ndescription: b", "Nmae"],
    ["nm: a\ndescription: b", undefined],
    ["name:\ndescription: b", undefined],
    ["name: a\ndesciption: b", "desciption"],
    ["name: a\nDesciptin: b", "Desciptin"],
    ["name: a\ndescptin: b", undefined],
  ])("%j: %s", (block, misspelled) => {
    const result = parseSkill(`---\n${block}\n---\n`);
    const hint = /`(\w+)` looks like a misspelling of it\.$/.exec(result.ok ? "" : result.problem.message);
    expect([result.ok, hint?.[1]]).toEqual([false, misspelled]);
  });
});

test.each([
  ["missing-name", true],
  ["missing-description", true],
  ["no-front-matter", false],
  ["missing-keywords", false],
] as const)("the problem %s is a missing field: %s", (code, isMissing) => {
  expect(isMissingField({ code, message: "" })).toBe(isMissing);
});

test("a file without front matter is refused on its first line", () => {
  expect(parseSkill("# Title")).toMatchObject({ problem: { code: "no-front-matter", line: 1 } });
});

describe("the size limit", () => {
  const ofLength = (length: number) => {
    const start = "name: a\ndescription: ";
    return `---\n${start}${"x".repeat(length - start.length)}\n---\n`;
  };
  test("65,536 characters of front matter are read", () => {
    expect(parseSkill(ofLength(65_536))).toMatchObject({ ok: true });
  });
  test("front matter one character over the limit is refused, and the message names the limit", () => {
    expect(parseSkill(ofLength(65_537))).toMatchObject({
      problem: { code: "front-matter-too-long", message: expect.stringContaining("65,536") as string },
    });
  });
  test.each([
    [2000, true],
    [2001, false],
  ])("%i lines that need a YAML parser are read: %s", (lines, ok) => {
    const text = `---\nname: a\ndescription: b\nlist: [\n${"  x,\n".repeat(lines - 4)}]\n---\n`;
    expect(parseSkill(text)).toMatchObject(ok ? { ok } : { problem: { code: "front-matter-too-long" } });
  });
});

describe("how much of a file need be read", () => {
  test.each([
    ["", false],
    ["---\nname: a\n", false],
    ["---\nname: a\ndescription: b\n---", false],
    ["---\r\nname: a\r\n---\r", false],
    ["---\nname: a\ndescription: b\n---\n", true],
    ["---js\n", true],
    ["# Title\n", false],
    ["text\n".repeat(51), true],
    [`---\n${"x".repeat(66_000)}`, true],
  ])("%j: %s", (head, whole) => {
    expect(findFrontMatter(head).settled).toBe(whole);
  });

  test("a head that holds the whole front matter gives what the file gives", () => {
    const piece = fc.constantFrom(
      "---",
      "...",
      "\n",
      "\r\n",
      "\r",
      "name: a\n",
      "description: b\n",
      "# T\n",
      " ",
      "x",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(), (pieces, cut) => {
        const text = pieces.join("");
        const head = text.slice(0, cut % (text.length + 1));
        if (findFrontMatter(head).settled) expect(parseSkill(head)).toEqual(parseSkill(text));
      }),
      { numRuns: 2000 },
    );
  });
});
