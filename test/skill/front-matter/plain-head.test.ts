import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findPlainHead } from "../../../src/skill/front-matter/plain-head.ts";
import { findUsualHead } from "../../../src/skill/front-matter/usual-head.ts";
import { parseSkill } from "../../../src/skill/parse-skill.ts";
import { anyLine, anyValue } from "./any-block.ts";

// Public skills, kept beside the project and never in it.
const CORPUS = new URL("../../../../shared/corpora/search/skills.jsonl.gz", import.meta.url);

function quickly(text: string): { name: string; description: string } | undefined {
  const bytes = Buffer.from(text);
  const head = findPlainHead(bytes);
  if (head === undefined) return undefined;
  const encoding = head.isAscii ? "latin1" : "utf8";
  return {
    name: bytes.toString(encoding, head.nameStart, head.nameEnd),
    description: bytes.toString(encoding, head.descriptionStart, head.descriptionEnd),
  };
}

/** Whether it answered; then the whole reader must say the same, and have nothing to complain of. */
function agrees(text: string): boolean {
  const head = quickly(text);
  const usual = findUsualHead(Buffer.from(text).toString("latin1"));
  if (usual !== undefined) expect(usual, JSON.stringify(text)).toEqual(findPlainHead(Buffer.from(text)));
  if (head === undefined) return false;
  const parsed = parseSkill(text, { strict: true });
  if (!parsed.ok)
    expect.fail(`${JSON.stringify(text)} was answered, but is refused: ${parsed.problem.message}`);
  const { name, description, warnings } = parsed.skill;
  expect({ name, description, warnings }, JSON.stringify(text)).toEqual({ ...head, warnings: [] });
  return true;
}

const skill = (...lines: readonly string[]): string => `---\n${lines.join("\n")}\n---\n# Body\n`;

describe("name and description are found in the bytes of", () => {
  test.each([
    [["name: pdf", "description: Reads files."], { name: "pdf", description: "Reads files." }],
    [["description: 'It: is # quoted'", 'name: "pdf"'], { name: "pdf", description: "It: is # quoted" }],
    [
      ["name:   pdf ", "", "# comment", "description: Größe — 你好 😀"],
      { name: "pdf", description: "Größe — 你好 😀" },
    ],
    [["name: 3D files", "description: (all of them)"], { name: "3D files", description: "(all of them)" }],
    [
      [
        "name: a",
        "metadata:",
        "  version: 1.2.3",
        "  name: inner",
        "tags:",
        "- x",
        "- y z",
        "description: b",
        "license: null",
      ],
      { name: "a", description: "b" },
    ],
    [["one:", "  a: b", "two:", "  a: b", "name: n", "description: d"], { name: "n", description: "d" }],
  ])("%j", (lines, expected) => {
    expect(quickly(skill(...lines))).toEqual(expected);
    agrees(skill(...lines));
  });
});

describe("the whole reader is left with", () => {
  test.each([
    ["no front matter", "# Body\n"],
    ["front matter that is not closed", "---\nname: a\ndescription: b\n"],
    ["a closing line with more in it", "---\nname: a\ndescription: b\n--- \n"],
    ["a closing line that may be cut", "---\nname: a\ndescription: b\n---"],
    ["a byte order mark", `\ufeff${skill("name: a", "description: b")}`],
    ["a carriage return", skill("name: a\r", "description: b\r")],
    ["a key given twice", skill("name: a", "name: b", "description: c")],
    ["an inner key given twice", skill("name: a", "description: b", "m:", "  x: 1", "  x: 2")],
    ["a key repeated after a map", skill("name: a", "m:", "  x: 1", "name: b", "description: c")],
    ["no description", skill("name: a")],
    ["an empty name", skill("name:", "description: b")],
    ["a name that is a number", skill("name: 12", "description: b")],
    ["a name that is a number before a space", skill("name: 12 ", "description: b")],
    ["doubled spaces at the end", skill("name: a  ", "description: b")],
    ["a name that is a truth value", skill("name: true", "description: b")],
    ["a colon in the text", skill("name: a", "description: Note: this")],
    ["a comment after the text", skill("name: a", "description: b # c")],
    ["text over two lines", skill("name: a", "description: b", "  c")],
    ["a folded text", skill("name: a", "description: >", "  b")],
    ["doubled spaces", skill("name: a", "description: b  c")],
    ["a no-break space", skill("name: a", "description: b\u00a0c")],
    ["an escape", skill("name: a", 'description: "b\\n"')],
    ["a dangerous key", skill("name: a", "description: b", "__proto__: c")],
    ["a key that is a truth value", skill("name: a", "description: b", "true: c")],
    ["a map in a map", skill("name: a", "description: b", "m:", "  x:", "    y: z")],
  ])("%s", (_what, text) => {
    expect(quickly(text)).toBeUndefined();
  });
});

describe("the shortest way is taken for", () => {
  test.each([
    ["nothing but the two", ["name: pdf", "description: Reads files."]],
    ["quotes", ["name: pdf-2", 'description: "Reads: files, #1."']],
    ["single quotes", ["name: pdf", "description: 'Say \"hi\"'"]],
    ["a colon within a word", ["name: pdf", "description: See https://a.example for it"]],
    ["more keys", ["name: pdf", "description: Reads files.", "license: MIT", "version: 1.2.3"]],
    ["a map", ["name: pdf", "description: Reads files.", "metadata:", '  version: "1.0"', "  author: me"]],
    ["lists", ["name: pdf", "description: Reads files.", "tags:", "- a", "- b", "tools:", "  - c d"]],
  ])("%s", (_what, lines) => {
    expect(findUsualHead(skill(...lines))).toBeDefined();
    agrees(skill(...lines));
  });

  test.each([
    ["a name that is a truth value", ["name: true", "description: Reads files."]],
    ["a description that may be one", ["name: a", "description: true"]],
    ["a doubled space", ["name: a", "description: b  c"]],
    ["a space before the quote", ["name: a", 'description: "b c "']],
    ["an escape", ["name: a", 'description: "b\\n c"']],
    ["a colon at the end", ["name: a", "description: b c:"]],
    ["a comment", ["name: a", "description: b #c"]],
    ["a key given twice", ["name: a", "description: b c", "x: y", "x: z"]],
    ["the name given twice", ["name: a", "description: b c", "name: b"]],
    ["an inner key given twice", ["name: a", "description: b c", "m:", "  x: y", "  x: z"]],
    ["a dangerous key", ["name: a", "description: b c", "constructor: d"]],
    ["a key that is a truth value", ["name: a", "description: b c", "true: d"]],
    ["text over two lines", ["name: a", "description: b c", "  d"]],
    ["anything but ASCII", ["name: a", "description: Größe hat es"]],
  ])("not for %s", (_what, lines) => {
    expect(findUsualHead(Buffer.from(skill(...lines)).toString("latin1"))).toBeUndefined();
  });
});

describe("whenever name and description are found in the bytes, the whole reader says the same", () => {
  const breaks = fc.constantFrom("\n", "\n", "\n", "\n", "\r\n");
  const closing = fc.constantFrom("---\n", "---\n", "---\n", "--- \n", "...\n", "---", "");

  test("on front matter of every shape", () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 5 }), breaks, closing, (lines, end, close) => {
        agrees(["---", "name: a", ...lines, "description: b", close].join(end));
        agrees(["---", "name: a", "description: b c", ...lines, close].join(end));
      }),
      { numRuns: 20_000 },
    );
  });

  test("on single values, many of which it reads", () => {
    let answered = 0;
    fc.assert(
      fc.property(anyValue, anyValue, (name, description) => {
        if (agrees(skill(`name: ${name}`, "other: c", `description: ${description}`))) answered++;
        if (agrees(skill("name: a", "description: b", `other: ${name}`))) answered++;
        agrees(skill(`name: ${name}`, `description: ${description}`, `other: ${name}`));
      }),
      { numRuns: 10_000 },
    );
    expect(answered).toBeGreaterThan(2000);
  });

  test("on every character", () => {
    for (let code = 1; code <= 0xffff; code++) {
      const character = String.fromCharCode(code);
      if (code < 0xd800 || code > 0xdfff)
        agrees(skill("name: a", `description: ${character} b ${character}c`));
      agrees(skill("name: a", `description: b ${character} c${character}`, `x: "${character}"`));
    }
  });

  test("on real skills, most of which it reads", (context) => {
    context.skip(!existsSync(CORPUS), "the corpus ../shared/corpora/search/skills.jsonl.gz is not here");
    const lines = gunzipSync(readFileSync(CORPUS)).toString().trimEnd().split("\n");
    const answered = lines.filter((line) => agrees((JSON.parse(line) as { text: string }).text));
    // oxlint-disable-next-line no-console -- the share is what the shortcut is worth
    console.log(`read by the shortcut: ${answered.length} of ${lines.length}`);
    expect(answered.length / lines.length).toBeGreaterThan(0.5);
  });
});
