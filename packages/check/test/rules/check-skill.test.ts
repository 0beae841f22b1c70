import { describe, expect, test } from "vitest";
import { checkSkill, checkText } from "../../src/rules/check-skill.ts";

const HEAD = "---\nname: pdf\ndescription: Reads and fills PDF forms. Use when someone has a PDF file.\n";
const good = (body = "Text.\n", fields = "") => `${HEAD}${fields}---\n${body}`;
const TOKEN = ["gh", "p_", "q7Zt2LmX9vB4cR8yK1wN5pJ3sD6fG0hA2eUi"].join("");

function check(text: string, { files = [] as readonly string[], fileName = "SKILL.md" } = {}) {
  return checkSkill({ text, fileName, folder: "pdf", files: new Set(files) });
}

/** Each finding as its rule, its severity and its line. */
const found = (text: string, source: Parameters<typeof check>[1] = {}) =>
  check(text, source).findings.map(({ rule, severity, line }) => [rule, severity, line]);

test("a good skill has its name and no findings", () => {
  expect(check(good())).toStrictEqual({ name: "pdf", findings: [], hostFields: [] });
});

test("fields of hosts are named", () => {
  expect(check(good("Text.\n", "model: opus\n")).hostFields).toEqual(["model"]);
});

describe("the name of the file", () => {
  test.each([
    ["SKILL.md", []],
    [".SKILL.md", [["disabled", "advice", undefined]]],
    ["skill.md", [["file-name", "error", undefined]]],
  ])("%s", (fileName, findings) => {
    expect(found(good(), { fileName })).toEqual(findings);
  });
});

describe("how the file is written", () => {
  test.each<[string, string, readonly unknown[]]>([
    ["a byte order mark", `\ufeff${good()}`, [["bom", "advice", 1]]],
    ["a byte order mark at the end", good("Text.\ufeff"), [["hidden-characters", "advice", 5]]],
    ["CRLF in the front matter", good().replaceAll("\n", "\r\n"), [["crlf", "advice", 1]]],
    ["CRLF in the body alone", good("Text.\r\n"), []],
    ["blanks at the end of a field", good("Text.\n", "license: MIT \n"), [["trailing-blanks", "advice", 4]]],
    [
      "blanks in a file that begins with a blank line",
      `\n${good()}`.replace("pdf", "pdf\t"),
      [["trailing-blanks", "advice", 3]],
    ],
    ["blanks in the body alone", good("Text.  \n"), []],
  ])("%s", (_what, text, findings) => {
    expect(found(text)).toEqual(findings);
  });
});

describe("a rule about a field names its line", () => {
  test.each<[string, string, number | undefined]>([
    ["the fourth", good("Text.\n", "license: [MIT]\n"), 4],
    ["the fifth, below a blank line", `\n${good("Text.\n", "license: [MIT]\n")}`, 5],
    ["none where the field is in quotes", good("Text.\n", '"license": [MIT]\n'), undefined],
  ])("%s", (_what, text, line) => {
    expect(found(text)).toEqual([["license", "error", line]]);
  });

  test("a rule about the body names none", () => {
    expect(check(good("")).findings).toStrictEqual([
      { severity: "advice", rule: "empty-body", message: expect.any(String) as string },
    ]);
  });
});

describe("links", () => {
  const files = ["SKILL.md", "notes.md", "scripts/run.sh"];
  test.each<[string, readonly unknown[]]>([
    ["notes.md", []],
    ["scripts/run.sh", []],
    ["scripts/", []],
    [".", []],
    ["./", []],
    ["run.sh", [["dead-link", "advice", 6]]],
    ["script", [["dead-link", "advice", 6]]],
    ["missing.md", [["dead-link", "advice", 6]]],
    ["scripts/missing.sh", [["dead-link", "error", 6]]],
    ["references/a.md", [["dead-link", "error", 6]]],
    ["../other/SKILL.md", [["link-outside", "advice", 6]]],
  ])("to %s", (target, findings) => {
    expect(found(good(`First.\nSee [it](${target}).\n`), { files })).toEqual(findings);
  });

  test("links: they are not checked where the files of the skill are not known", () => {
    const text = good("[it](missing.md)\n");
    expect(checkSkill({ text, fileName: "SKILL.md", folder: "pdf", files: undefined }).findings).toEqual([]);
  });
});

test("credentials and hidden characters are found in the body, with their lines", () => {
  expect(found(good(`Text.\n${TOKEN}\na\u202Eb\n`))).toEqual([
    ["secret", "error", 6],
    ["hidden-characters", "error", 7],
  ]);
});

test("front matter that had to be recovered is an error", () => {
  expect(found(good("Text.\n", "license: a: b\n"))).toEqual([["front-matter-recovered", "error", 4]]);
});

test("a file that is no skill has no name, and its text is checked", () => {
  const { name, findings, hostFields } = check(`\ufeff# Title\n${TOKEN}\na\u200Bb\n`);
  expect([name, hostFields]).toEqual([undefined, []]);
  expect(findings.map(({ rule, line }) => [rule, line])).toEqual([
    ["bom", 1],
    ["no-front-matter", 1],
    ["secret", 2],
    ["hidden-characters", 3],
  ]);
});

test("a file without a name is told so, on no line", () => {
  expect(check("---\ndescription: b\n---\n").findings).toStrictEqual([
    {
      severity: "error",
      rule: "missing-name",
      message: expect.stringContaining("`name` is missing") as string,
    },
  ]);
});

test("every other text is checked for credentials and hidden characters", () => {
  expect(checkText(`a\n${TOKEN}\n\u202E`).map(({ rule, line }) => [rule, line])).toEqual([
    ["secret", 2],
    ["hidden-characters", 3],
  ]);
});
