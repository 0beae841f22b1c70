import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { termsOfWord, wordsOf } from "../../../../src/search/engine/words/analyse.ts";

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
    ["nothing gives nothing", "", ""],
    ["signs give nothing", "!?… 🎉 \u0000 --", ""],
  ])("%s", (_what, text, terms) => {
    expect(termsIn(text)).toBe(terms);
  });

  test("a very long word is cut", () => {
    expect(termsOfWord("z".repeat(100_000)).parts.map((part) => part.length)).toEqual([40]);
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
