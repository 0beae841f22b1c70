import { describe, expect, test } from "vitest";
import { parseQuery } from "../../../src/engine/rank/parse-query.ts";

const weights = (text: string) =>
  Object.fromEntries(parseQuery(text, undefined).concepts.map(({ term, weight }) => [term, weight]));
const others = (text: string, term: string, synonyms?: ReadonlyMap<string, readonly string[]>) =>
  Object.fromEntries(
    (parseQuery(text, synonyms).concepts.find((concept) => concept.term === term)?.others ?? []).map(
      (other) => [other.term, other.share],
    ),
  );

describe("the weight of a word", () => {
  test.each([
    ["is the number of times it is mentioned", "zebra giraffe zebra", { zebra: 2, giraff: 1 }],
    ["is half in fenced code", "zebra\n```\nzebra giraffe\n```\nzebra", { zebra: 2.5, giraff: 0.5 }],
    ["is half in a fence that is never closed", "```\nzebra", { zebra: 0.5 }],
    ["is half for parts of an identifier", "zebraHouse", { zebra: 0.5, hous: 0.5, zebrahous: 1 }],
    ["is a quarter for parts in code", "```\nzebraHouse", { zebra: 0.25, hous: 0.25, zebrahous: 0.5 }],
    ["is nothing for stop words", "the zebra", { zebra: 1 }],
  ])("%s", (_what, text, expected) => {
    expect(weights(text)).toEqual(expected);
  });

  test("the weight of a term in a script without spaces is small, and of its grammar next to nothing", () => {
    expect(weights("合并pdf")).toEqual({ 合: 0.015, 合并: 0.06, 并: 0.015, pdf: 1 });
    expect(weights("して")).toEqual({ し: 0.002, して: 0.002, て: 0.002 });
  });

  test("only the first 20,000 characters of a query count", () => {
    expect(weights(`${"x ".repeat(9_996)}a1 a2 a3 a4`)).toMatchObject({ a1: 1, a2: 1 });
    expect(weights(`${"x ".repeat(9_999)}a1 a2`)).toEqual({ x: 9_999, a1: 1 });
  });
});

describe("pairs", () => {
  test.each([
    ["words up to two apart", "zebra giraffe lion tiger", ["0 1", "0 2", "1 2", "1 3", "2 3"]],
    ["no word with itself", "zebra zebra", []],
    ["each pair once in each order", "zebra lion zebra lion", ["0 1", "1 0"]],
    ["identifiers as a whole", "zebraHouse lion", ["2 3"]],
  ])("are %s", (_what, text, pairs) => {
    expect(
      parseQuery(text, undefined)
        .pairs.map(([first, second]) => `${first} ${second}`)
        .sort(),
    ).toEqual(pairs);
  });
});

describe("other terms for a word", () => {
  test("synonyms in a script without spaces are found anywhere in a run", () => {
    const synonyms = new Map([
      ["合并", ["merge files"]],
      ["翻译", ["translate"]],
    ]);
    const { concepts } = parseQuery("请帮我合并文件", synonyms);
    const read = concepts.filter(({ term }) => /^[a-z]+$/.test(term));
    expect(read.map(({ term, weight }) => [term, weight])).toEqual([
      ["merg", 0.8],
      ["file", 0.8],
    ]);
  });

  test("aliases that are other names have 0.9 of the weight", () => {
    expect(others("k8s", "k8s")).toMatchObject({ kubernet: 0.9 });
  });

  test("share the weight when the other name is a phrase", () => {
    expect(others("gha", "gha")).toEqual({ github: 0.45, action: 0.45 });
  });

  test("share the weight when the phrase is in the query", () => {
    expect(others("github actions", "github")["gha"]).toBe(0.45);
    expect(others("amazon web services", "web")["aw"]).toBeCloseTo(0.3);
    expect(others("amazon of web of services", "amazon")["aw"]).toBeCloseTo(0.3);
    expect(others("amazon dark web services", "amazon")["aw"]).toBeUndefined();
  });

  test("synonyms of the user have 0.9 of the weight", () => {
    const synonyms = new Map([
      ["zoo", ["zebra"]],
      ["big cat", ["lion"]],
      ["big wild cat", ["tiger"]],
    ]);
    expect(others("zoo", "zoo", synonyms)).toEqual({ zebra: 0.9 });
    expect(others("a big cat", "big", synonyms)).toEqual({ lion: 0.45 });
    expect(others("big wild cat", "wild", synonyms)["tiger"]).toBeCloseTo(0.3);
    expect(others("zoos", "zoo", synonyms)).toEqual({});
  });

  test("aliases of phrases of up to three words are found", () => {
    const synonyms = new Map([
      ["green blue zoo", ["zebra"]],
      ["red green blue house", ["lion"]],
    ]);
    expect(others("green blue zoo", "zoo", synonyms)["zebra"]).toBeCloseTo(0.3);
    expect(others("red green blue house", "green", synonyms)).toEqual({});
  });

  test("an alias is never the word itself", () => {
    expect(others("k8s kubernetes", "kubernet")["kubernet"]).toBeUndefined();
  });
});

test("words are listed once, as typed but in lower case", () => {
  const { words, concepts } = parseQuery("Deploying deploys the Zebra deploying", undefined);
  expect(words).toEqual(["deploying", "deploys", "zebra"]);
  expect(concepts[0]?.words).toEqual(["deploying", "deploys"]);
});
