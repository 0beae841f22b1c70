import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isAscii, isUnspaced, termsOfWord, wordsOf } from "../../../src/engine/words/analyse.ts";

function termsIn(text: string): string {
  return wordsOf(text)
    .flatMap((word) => {
      const { parts, joined } = termsOfWord(word);
      return joined === null ? parts : [...parts, `=${joined}`];
    })
    .join(" ");
}

describe("the analyser", () => {
  test.each([
    ["words are lower case and stemmed", "Deploying the Services", "deploy servic"],
    ["stop words of seven languages go", "the und avec para você della voor", ""],
    ["what apostrophes leave goes too", "don't the user's", "user"],
    ["camel case is split and kept whole", "getUserName", "user name =getusernam"],
    ["a run of capitals ends before the next word", "PDFFile", "pdf file =pdffile"],
    ["snake case is split and kept whole", "user_name", "user name =usernam"],
    ["underscores around a word are nothing", "__init__", "init"],
    ["capitals are one word", "README HTML5", "readm html5"],
    ["hyphens split", "react-native", "react nativ"],
    ["languages with signs keep them", "C++ c# F# .NET ASP.NET", "c++ c# f# .net asp .net"],
    ["a sign in the middle is none", "issue#12 a+b", "issu 12 b"],
    ["node.js is also nodejs", "Node.js nodejs", "node js =nodej nodej"],
    ["accents are folded", "Café ÜBERSICHT naïve", "cafe ubersicht naiv"],
    ["compatibility forms are plain", "ＡＰＩ ﬁle", "api file"],
    ["Chinese is indexed by characters and pairs", "数据库", "数 数据 据 据库 库"],
    ["scripts may touch", "用React写", "用 react 写"],
    ["Hangul is indexed by pairs, composed", "\u1112\u1161\u11ab글", "한 한글 글"],
    ["other scripts are words", "Привет мир שלום", "привет мир שלום"],
    ["marks of other scripts stay", "हिन्दी", "हिन्दी"],
    ["numbers are words", "2024 3.5", "2024 3 5"],
    ["what is written with letters of a stop word elsewhere stays", "CI AI Go iOS OS", "ci ai go os =ios os"],
    [
      "identifiers of other scripts are split too",
      "ПриветМир straßeName",
      "привет мир =приветмир straße name =straßename",
    ],
    ["a run of capitals of another script ends there too", "СССРМир", "ссср мир =сссрмир"],
    ["a word of other scripts with one capital is whole", "Привет МИР", "привет мир"],
    ["an identifier whose whole is a stop word has its parts alone", "f_or", "f"],
    ["scripts may touch identifiers", "用getName写", "用 name 写"],
    ["letters of two code units are one", "𠮷野", "𠮷 𠮷野 野"],
    ["iOS is no plural", "iOS IOS ios", "os =ios ios ios"],
    ["what is no English word is not stemmed", "html5s naïves", "html5s naiv"],
    ["nothing gives nothing", "", ""],
    ["signs give nothing", "!?… 🎉 \u0000 --", ""],
  ])("%s", (_what, text, terms) => {
    expect(termsIn(text)).toBe(terms);
  });

  test("a very long word is cut", () => {
    expect(termsOfWord("Z".repeat(300))).toEqual({ parts: ["z".repeat(40)], joined: null });
    expect(termsOfWord("z".repeat(100_000)).parts.map((part) => part.length)).toEqual([40]);
    expect(termsOfWord(`${"z".repeat(39)}ab`).parts).toEqual([`${"z".repeat(39)}a`]);
    expect(termsOfWord(`${"z".repeat(39)}b`).parts).toEqual([`${"z".repeat(39)}b`]);
  });

  test.each([
    ["200 characters", `k${"z_".repeat(99)}q`, "q"],
    ["201 characters", `${"z_".repeat(100)}q`, "z"],
    ["202 characters", `${"z_".repeat(100)}qx`, "z"],
  ])("of an identifier of %s the first 200 are split", (_what, word, last) => {
    const { parts } = termsOfWord(word);
    expect([parts[0], parts.at(-1)]).toEqual([word.slice(0, word.indexOf("_")), last]);
  });
});

test("plain text has the same words alone and beside a word of another alphabet", () => {
  const piece = fc.constantFrom(
    "c++",
    "C#",
    "f#x",
    ".net",
    ".NETs",
    "node.js",
    "a.jsx",
    "snake_case",
    "getX",
    "42",
  );
  const text = fc.array(fc.oneof(piece, fc.string()), { maxLength: 6 }).map((parts) => parts.join(" "));
  fc.assert(
    fc.property(text, (plain) => {
      expect(wordsOf(`${plain} слово`)).toEqual([...wordsOf(plain), "слово"]);
    }),
  );
});

test.each([
  ["", true],
  ["a\u007f", true],
  ["a\u0080", false],
  ["éa", false],
])("%j is ASCII: %s", (text, expected) => {
  expect(isAscii(text)).toBe(expected);
});

test.each([
  ["图表", true],
  ["データ", true],
  ["a图", true],
  ["слово", false],
  ["plain", false],
])("%s is in a script without spaces: %s", (word, expected) => {
  expect(isUnspaced(word)).toBe(expected);
});
