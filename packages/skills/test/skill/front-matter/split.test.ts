import { describe, expect, test } from "vitest";
import { findFrontMatter } from "../../../src/skill/front-matter/split.ts";
import { parseSkill } from "../../../src/skill/parse-skill.ts";

const FIELDS = "name: a\ndescription: b\n";
/** Front matter of so many characters. */
const block = (length: number) => FIELDS.slice(0, -1).padEnd(length, "x");

describe("a line that opens front matter", () => {
  test.each([
    ["---\n", undefined],
    ["--- \t\n", undefined],
    ["---yml\n", undefined],
    ["--- YAML\n", undefined],
    ["--- # settings\n", undefined],
    ["---# settings\n", "no-front-matter"],
    ["--- c#\n", "front-matter-language"],
    ["---yamls\n", "front-matter-language"],
    ["---- \n", "no-front-matter"],
    ["-- -\n", "no-front-matter"],
    [" ---\n", "no-front-matter"],
    ["--- two words\n", "no-front-matter"],
  ])("%j: %s", (opening, code) => {
    const { split } = findFrontMatter(`${opening}${FIELDS}---\n`);
    expect("problem" in split ? split.problem.code : undefined).toBe(code);
  });
});

test.each([
  ["---\n", true],
  ["...\n", true],
  ["---", true],
  ["--- \n", true],
  ["---x\n", false],
  ["--.\n", false],
  ["....\n", false],
])("%j closes front matter: %s", (closing, closes) => {
  const { split } = findFrontMatter(`---\n${FIELDS}${closing}`);
  expect("block" in split && split.block.warning === undefined).toBe(closes);
});

describe("the warning names the line on which front matter opens", () => {
  test.each([
    ["never closed", `---\n${FIELDS}`, 1],
    ["never closed, below blank lines", `\n\n---\n${FIELDS}`, 3],
    ["closed by a rule of the body", `\n---\n${FIELDS}\n# T\n\nText.\n\n---\n`, 2],
    ["below a title", `# T\n\n---\n${FIELDS}---\n`, 3],
  ])("%s", (_what, text, line) => {
    const parsed = parseSkill(text);
    expect(parsed).toMatchObject({ ok: true, skill: { warnings: [{ line }] } });
    expect(parsed.ok && parsed.skill.warnings[0]?.message).toContain(`line ${line}`);
  });
});

describe("the size limit", () => {
  test.each<[string, string, string | undefined]>([
    ["65,536 characters before a CRLF", `---\n${block(65_536)}\r\n---\n`, undefined],
    ["one more before a CRLF", `---\n${block(65_537)}\r\n---\n`, "front-matter-too-long"],
    ["65,536 characters without an end", `---\n${block(65_536)}`, undefined],
    ["one more without an end", `---\n${block(65_537)}`, "front-matter-too-long"],
    ["a long body below a heading", `---\n${FIELDS}\n# T\n${"text\n".repeat(20_000)}`, undefined],
    ["a long text without fields", `---\n${"text\n".repeat(20_000)}`, "front-matter-too-long"],
    ["a short text without fields", "---\ntext\n", "no-front-matter"],
  ])("%s", (_what, text, code) => {
    const parsed = parseSkill(text);
    expect(parsed.ok ? undefined : parsed.problem.code).toBe(code);
  });
});

describe("how much of a file need be read", () => {
  test.each([
    ["nothing but blank lines", false, "\n\n"],
    ["a language whose line may go on", false, "---js"],
    ["an opening line that may go on", false, "---"],
    ["an opening line whose line break may go on", false, "---\r"],
    ["49 lines of text", false, "text\n".repeat(49)],
    ["50 lines of text, the last of which may go on", false, `${"text\n".repeat(49)}text`],
    ["50 lines of text", true, "text\n".repeat(50)],
    ["front matter below a title", true, `# T\n---\n${FIELDS}---\n`],
    ["front matter below a title whose closing line may go on", false, `# T\n---\n${FIELDS}---`],
    ["a closing line that may still come within the limit", false, `---\n${"x".repeat(65_738)}`],
    ["no closing line within the limit", true, `---\n${"x".repeat(65_739)}`],
  ])("%s: %s", (_what, settled, head) => {
    expect(findFrontMatter(head).settled).toBe(settled);
  });
});
