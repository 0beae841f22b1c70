import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CONTEXT_STOP_WORDS } from "../../src/matching/stop-words.ts";
import { tokenize } from "../../src/matching/tokenize.ts";

describe("seed 004 §5.1: a context becomes words", () => {
  test.each<[string, string, readonly string[]]>([
    [
      "the example",
      "Create a React component for the authentication",
      ["create", "react", "component", "authentication"],
    ],
    ["lower case", "REACT Auth", ["react", "auth"]],
    ["punctuation ends a word", "react,auth;forms(jwt).", ["react", "auth", "forms", "jwt"]],
    ["so do symbols", "a+b=c $path `code` <div>", ["b", "c", "path", "code", "div"]],
    ["and underscores", "snake_case", ["snake", "case"]],
    ["hyphens stay", "server-side state-of-the-art", ["server-side", "state-of-the-art"]],
    ["each word once, in the order of the first", "auth React AUTH react jwt", ["auth", "react", "jwt"]],
    ["English stop words go", "is it of to in for with the an", []],
    ["French stop words go", "le la les un une de du et ou en", []],
    [
      "words about the task stay",
      "use make help go create plus",
      ["use", "make", "help", "go", "create", "plus"],
    ],
    [
      "any white space parts words",
      "react\tauth\njwt\u00a0forms\u3000hooks",
      ["react", "auth", "jwt", "forms", "hooks"],
    ],
    ["control characters do too", "react\0auth", ["react", "auth"]],
    ["a dash is no word", "react - auth -- forms", ["react", "auth", "forms"]],
    ["nor is an emoji", "deploy 🚀 now ✈️ 👩‍💻", ["deploy"]],
    ["nothing gives nothing", "", []],
  ])("%s", (_rule, context, tokens) => {
    expect(tokenize(context).tokens).toEqual(tokens);
  });
});

describe("C6: accents and other scripts are kept", () => {
  test.each<[string, readonly string[]]>([
    ["Créer", ["créer"]],
    ["ÉCOLE À Noël", ["école", "noël"]],
    ["日本語のドキュメント、設計", ["日本語のドキュメント", "設計"]],
    ["認証 フォーム", ["認証", "フォーム"]],
    ["Проверка входа", ["проверка", "входа"]],
    ["हिन्दी दस्तावेज़", ["हिन्दी", "दस्तावेज़".normalize("NFC")]],
    ["Straße ΟΔΟΣ", ["straße", "οδος"]],
    ["٣ 42 ½", ["٣", "42", "½"]],
  ])("%s", (context, tokens) => {
    expect(tokenize(context).tokens).toEqual(tokens);
  });

  test.each([
    ["é as two characters", "cre\u0301er", "créer"],
    ["É as two characters", "CRE\u0301ER", "créer"],
    ["a letter that composes only in lower case", "J\u030C", "\u01F0"],
  ])("%s is the same word", (_what, written, folded) => {
    expect(tokenize(written).tokens).toEqual([folded]);
  });
});

describe("what an apostrophe cuts off is no word", () => {
  test.each<[string, readonly string[]]>([
    ["Créer l'authentification d’un formulaire", ["créer", "authentification", "formulaire"]],
    ["qu'il y ait c'est", ["y", "ait"]],
    ["the user's form isn't valid, don't we'll", ["user", "form", "valid"]],
    ["write c and d code", ["write", "c", "d", "code"]],
    ["the 'c' compiler, the 'd' one", ["c", "compiler", "d"]],
    ["l' d'", ["l", "d"]],
  ])("%s", (context, tokens) => {
    expect(tokenize(context).tokens).toEqual(tokens);
  });
});

test.each([
  "ai",
  "c",
  "car",
  "ci",
  "comment",
  "create",
  "es",
  "go",
  "help",
  "just",
  "less",
  "make",
  "plus",
  "r",
  "use",
])("'%s' names something and is no stop word", (word) => {
  expect(tokenize(word).tokens).toEqual([word]);
});

test("every stop word is written as contexts are folded", () => {
  for (const word of CONTEXT_STOP_WORDS) expect(word).toBe(word.toLowerCase().normalize("NFC"));
});

test("a context with more different words than a task has is read from its beginning", () => {
  const words = Array.from({ length: 3_000 }, (_, number) => `word${number}`);
  expect(tokenize(words.join(" ")).tokens).toEqual(words.slice(0, 1_000));
  expect(tokenize(`${"same ".repeat(50_000)} last`).tokens).toEqual(["same"]);
});

test("of a longer context, the first hundred thousand characters are read", () => {
  expect(tokenize(`${"same ".repeat(19_999)}words`).tokens).toEqual(["same", "words"]);
  expect(tokenize(`${"same ".repeat(19_999)} words`).tokens).toEqual(["same", "word"]);
});

const character = fc.constantFrom(
  ...Array.from("aAbtheÉé日𠮷٣½-_'’.,!€+ \t\n\0\u0301\u200d\ufeff\u3000\ud842"),
);

test("any text gives different words that are no stop words and hold no white space", () => {
  fc.assert(
    fc.property(fc.string({ unit: character, maxLength: 60 }), (context) => {
      const { tokens } = tokenize(context);
      expect(tokens).toEqual([...new Set(tokens)]);
      expect(
        tokens.filter(
          (token) => CONTEXT_STOP_WORDS.has(token) || /[\s\p{Cc}]|(?!-)[\p{P}\p{S}]/u.test(token),
        ),
      ).toEqual([]);
    }),
  );
});
