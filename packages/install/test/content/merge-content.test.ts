import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SkillContent } from "#skills";
import { mergeContent } from "../../src/content/merge-content.ts";

type Files = Readonly<Record<string, string>>;

const contentOf = (files: Files): SkillContent =>
  new Map(
    Object.entries(files).map(([name, text]) => [name, { bytes: Buffer.from(text), isExecutable: false }]),
  );

const textsOf = (content: SkillContent): Files =>
  Object.fromEntries([...content].map(([name, { bytes }]) => [name, bytes.toString()]));

const LINES = "1\n2\n3\n4\n5\n6\n";

describe("a three-way merge", () => {
  test.each<readonly [string, Files, Files, Files, Files | readonly string[]]>([
    ["takes what only the source changed", { a: "1" }, { a: "1" }, { a: "2" }, { a: "2" }],
    ["keeps what only a person changed", { a: "1" }, { a: "2" }, { a: "1" }, { a: "2" }],
    ["takes the same change of both", { a: "1" }, { a: "2" }, { a: "2" }, { a: "2" }],
    ["keeps a file that a person added", {}, { b: "2" }, {}, { b: "2" }],
    ["keeps the removal of a file", { a: "1" }, {}, { a: "1" }, {}],
    ["removes what the source removed", { a: "1" }, { a: "1" }, {}, {}],
    [
      "puts changes of different lines together",
      { a: LINES },
      { a: LINES.replace("1", "one") },
      { a: LINES.replace("6", "six") },
      { a: LINES.replace("1", "one").replace("6", "six") },
    ],
    [
      "keeps Windows line ends",
      { a: "1\r\n2\r\n3\r\n" },
      { a: "0\r\n2\r\n3\r\n" },
      { a: "1\r\n2\r\n4\r\n" },
      { a: "0\r\n2\r\n4\r\n" },
    ],
    [
      "refuses changes of one line",
      { a: LINES },
      { a: LINES.replace("3", "x") },
      { a: LINES.replace("3", "y") },
      ["a"],
    ],
    ["refuses two files of one name", {}, { a: "1" }, { a: "2" }, ["a"]],
    ["refuses an edit of a file that the source removed", { a: "1" }, { a: "2" }, {}, ["a"]],
    ["refuses the removal of a file that the source changed", { a: "1" }, {}, { a: "2" }, ["a"]],
    ["refuses changes of a binary file", { a: "1\0" }, { a: "2\0" }, { a: "3\0" }, ["a"]],
  ])("%s", (_what, base, mine, theirs, expected) => {
    const { content, conflicts } = mergeContent(contentOf(base), contentOf(mine), contentOf(theirs));
    if (Array.isArray(expected)) expect(conflicts.map(({ file }) => file)).toEqual(expected);
    else {
      expect(conflicts).toEqual([]);
      expect(textsOf(content)).toEqual(expected);
    }
  });

  test("refuses a link that someone put into an installed skill", () => {
    const mine: SkillContent = new Map([
      ["l", { bytes: Buffer.from("link:/etc"), isExecutable: false, isOdd: true }],
    ]);
    expect(mergeContent(new Map(), mine, new Map()).conflicts).toEqual([{ file: "l", reason: "link" }]);
  });

  const lines = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "d\n"), { maxLength: 8 });
  const files = fc.dictionary(
    fc.constantFrom("x", "y", "z"),
    lines.map((all) => all.join("")),
    { noNullPrototype: true },
  );

  test("never loses an edit: a line that a person added is in the result, or it is a conflict", () => {
    fc.assert(
      fc.property(files, files, files, fc.nat(7), (base, edited, theirs, at) => {
        const mine = Object.fromEntries(
          Object.entries(edited).map(([name, text]) => {
            const all = text.split(/(?<=\n)/);
            all.splice(at, 0, `mine in ${name}\n`);
            return [name, all.join("")];
          }),
        );
        const { content, conflicts } = mergeContent(contentOf(base), contentOf(mine), contentOf(theirs));
        const merged = textsOf(content);
        for (const name of Object.keys(mine)) {
          if (conflicts.some(({ file }) => file === name)) continue;
          expect(merged[name]).toContain(`mine in ${name}\n`);
        }
      }),
    );
  });

  test("merge: a side without changes does not change the result", () => {
    fc.assert(
      fc.property(files, files, (base, changed) => {
        expect(textsOf(mergeContent(contentOf(base), contentOf(base), contentOf(changed)).content)).toEqual(
          changed,
        );
        expect(textsOf(mergeContent(contentOf(base), contentOf(changed), contentOf(base)).content)).toEqual(
          changed,
        );
      }),
    );
  });
});
