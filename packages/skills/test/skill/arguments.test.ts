import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  givenArguments,
  promptArguments,
  type SkillArgument,
  splitWords,
  substituteArguments,
} from "../../src/skill/arguments.ts";

const named = (...names: readonly string[]): readonly SkillArgument[] => names.map((name) => ({ name }));

describe("what a client should ask for", () => {
  const bracketed = (count: number) => Array.from({ length: count }, (_, at) => `[a${at}]`).join(" ");
  test.each([
    [20, 20],
    [21, 1],
  ])("of a hint with %i names, %i", (count, asked) => {
    expect(promptArguments({ argumentHint: bracketed(count) })).toHaveLength(asked);
  });

  test("a skill that declares no arguments has none", () => {
    expect(promptArguments()).toEqual([]);
  });

  test.each([
    ["nothing", {}, []],
    ["declared names", { arguments: named("a", "b") }, named("a", "b")],
    [
      "declared names, described by the hint",
      { arguments: named("a"), argumentHint: "[a]" },
      [{ name: "a", description: "[a]" }],
    ],
    [
      "declared names, one of which is described",
      { arguments: [{ name: "a", description: "A." }, { name: "b" }], argumentHint: "[a]" },
      [
        { name: "a", description: "A." },
        { name: "b", description: "[a]" },
      ],
    ],
    [
      "names with blanks in the brackets",
      { argumentHint: "[ a ]" },
      [{ name: "a", description: "[ a ]", required: false }],
    ],
    ["a name beside a choice", { argumentHint: "[a] [b|c]" }, [{ name: "task", description: "[a] [b|c]" }]],
    [
      "names in a hint",
      { argumentHint: "<file> [format]" },
      [
        { name: "file", description: "<file> [format]", required: true },
        { name: "format", description: "<file> [format]", required: false },
      ],
    ],
    ["a sentence", { argumentHint: "What to learn?" }, [{ name: "task", description: "What to learn?" }]],
    ["a choice", { argumentHint: "[a|b]" }, [{ name: "task", description: "[a|b]" }]],
    ["the same name twice", { argumentHint: "[a] [a]" }, [{ name: "task", description: "[a] [a]" }]],
  ])("%s", (_what, said, expected) => {
    expect(promptArguments(said)).toStrictEqual(expected);
  });
});

test.each([
  ["", []],
  ["  one  two ", ["one", "two"]],
  ['"hello world" second', ["hello world", "second"]],
  ["'a b'c d", ["a bc", "d"]],
  ["it's \"open", ["it's", '"open']],
  ["$1 $2", ["$1", "$2"]],
])("the words of %j", (text, expected) => {
  expect(splitWords(text)).toEqual(expected);
});

describe("what a client sends, in order", () => {
  test.each<[string, readonly string[], Record<string, string>, unknown]>([
    ["nothing", ["a"], {}, { whole: "", words: [], named: [["a", ""]] }],
    ["a text", [], { task: " x  y " }, { whole: "x  y", words: ["x", "y"], named: [] }],
    [
      "a text for declared names",
      ["a", "b", "c"],
      { task: "x y" },
      {
        whole: "x y",
        words: ["x", "y"],
        named: [
          ["a", "x"],
          ["b", "y"],
          ["c", ""],
        ],
      },
    ],
    [
      "the value of the only name, which is several words",
      ["a"],
      { a: "x y" },
      { whole: "x y", words: ["x", "y"], named: [["a", "x y"]] },
    ],
    [
      "values with one empty and one missing",
      ["a", "b", "c", "d"],
      { a: "x y", b: "", d: "z" },
      {
        whole: "x y z",
        words: ["x y", "", undefined, "z"],
        named: [
          ["a", "x y"],
          ["b", ""],
          ["c", ""],
          ["d", "z"],
        ],
      },
    ],
    [
      "a declared name that is the name of the whole text",
      ["task", "b"],
      { task: "x y", b: "z" },
      {
        whole: "x y z",
        words: ["x y", "z"],
        named: [
          ["task", "x y"],
          ["b", "z"],
        ],
      },
    ],
  ])("%s", (_what, names, values, expected) => {
    const given = givenArguments(named(...names), values);
    expect({ ...given, named: [...given.named] }).toEqual(expected);
  });
});

function substitute(text: string, typed: string, declared: readonly string[] = []) {
  return substituteArguments(text, givenArguments(named(...declared), { task: typed }), declared);
}

describe("placeholders in a text", () => {
  test.each([
    ["the whole", "Fix $ARGUMENTS.", "42 now", "Fix 42 now."],
    ["the whole, quotes included", "Say $ARGUMENTS", '"a b" c', 'Say "a b" c'],
    ["by index", "$ARGUMENTS[0], then $ARGUMENTS[1]", "a b", "a, then b"],
    ["from $0 on, as in Claude Code", "$0 from $1 to $2", "Bar React Vue", "Bar from React to Vue"],
    ["from $1 on where there is no $0, as in Codex", "$1 to $2", "React Vue", "React to Vue"],
    ["up to $9", "$9", "1 2 3 4 5 6 7 8 nine", "nine"],
    ["quoted words as one", "<$0> <$1>", '"hello world" second', "<hello world> <second>"],
    ["a place without a word stays", "$0 $1", "a", "a $1"],
    ["money and code stay", "$100, $1x, ${1}, $HOME", "a", "$100, $1x, ${1}, $HOME"],
    ["an escaped place stays without its backslash", "\\$1.00 \\$ARGUMENTS", "a", "$1.00 $ARGUMENTS"],
    ["two backslashes are no escape", "\\\\$ARGUMENTS", "a", "\\\\a"],
    ["a longer word is none", "$ARGUMENTS_LIST $ARGUMENTSX", "a", "$ARGUMENTS_LIST $ARGUMENTSX"],
    ["values are not read again", "$ARGUMENTS[0]", "$ARGUMENTS", "$ARGUMENTS"],
    ["a dollar sign in a value is only text", "<$ARGUMENTS>", "$& $1 $$", "<$& $1 $$>"],
  ])("%s", (_what, text, typed, expected) => {
    expect(substitute(text, typed).text).toBe(expected);
  });

  test("declared names are replaced, each as the text spells it out", () => {
    expect(substitute("$issue on $issue-branch, $other", "42 main", ["issue", "issue-branch"])).toEqual({
      text: "42 on main, $other",
      used: true,
    });
  });

  test("a declared name without a value becomes empty, and that counts as used", () => {
    expect(substitute("<$a> <$b>", "1", ["a", "b"])).toEqual({ text: "<1> <>", used: true });
  });

  test("a text without places uses nothing", () => {
    expect(substitute("Nothing here, only $5 and \\$ARGUMENTS.", "a").used).toBe(false);
  });

  test("each argument that a client sends is one word, however many it has", () => {
    const given = givenArguments(named("a", "b"), { a: "one two", b: "three" });
    expect(substituteArguments("$a|$0|$1|$ARGUMENTS", given, ["a", "b"]).text).toBe(
      "one two|one two|three|one two three",
    );
  });

  test("a long run of backslashes takes no longer than its length", () => {
    const text = `${"\\".repeat(500_000)}x`;
    expect(substitute(text, "a").text).toBe(text);
  });

  test("substitution gives what a loop over the text gives", () => {
    const piece = fc.constantFrom(
      "$ARGUMENTS",
      "$ARGUMENTS[0]",
      "$ARGUMENTS[1]",
      "$0",
      "$1",
      "$2",
      "\\",
      "x",
      " ",
      "$",
      "$a",
    );
    const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
    const values = fc.array(fc.stringMatching(/^[a-z$\\]{1,4}$/), { maxLength: 3 });
    fc.assert(
      fc.property(texts, values, (text, words) => {
        const typed = words.join(" ");
        expect(substitute(text, typed, ["a"]).text).toBe(byLoop(text, typed, words));
      }),
    );
  });
});

/** The obvious version, for words without quotes and one declared name. */
function byLoop(text: string, whole: string, words: readonly string[]): string {
  const first = /(?<!\\)\$0(?!\w)/.test(text) ? 0 : 1;
  let result = "";
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const token = /^\$(?:ARGUMENTS\[\d\]|ARGUMENTS(?![\w[])|\d(?!\w)|a(?![\w-]))/.exec(rest)?.[0];
    if (token === undefined) {
      result += text[at++];
      continue;
    }
    at += token.length;
    const isEscaped = text[at - token.length - 1] === "\\" && text[at - token.length - 2] !== "\\";
    if (isEscaped) {
      result = result.slice(0, -1) + token;
    } else if (token === "$ARGUMENTS") result += whole;
    else if (token === "$a") result += words[0] ?? "";
    else if (token.startsWith("$A")) result += words[Number(token[11])] ?? token;
    else result += words[Number(token[1]) - first] ?? token;
  }
  return result;
}
