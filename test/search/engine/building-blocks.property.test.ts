import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { growing8, growing32 } from "../../../src/search/engine/index/growing-array.ts";
import { createPairCollector } from "../../../src/search/engine/index/pair-collector.ts";
import { pairFilter, pairHash } from "../../../src/search/engine/index/pair-filter.ts";
import { countsIn } from "../../../src/search/engine/index/segment.ts";
import { sortTerms } from "../../../src/search/engine/index/sort-terms.ts";
import { createWordTable } from "../../../src/search/engine/index/word-table.ts";
import {
  createIndexBuilder,
  parseIndex,
  runToEnd,
  searchIndex,
  serializeIndex,
} from "../../../src/search/engine/index-of-skills.ts";
import { heldCounts } from "../../../src/search/engine/rank/held-counts.ts";
import { parseQuery } from "../../../src/search/engine/rank/parse-query.ts";
import { resolveTerms } from "../../../src/search/engine/rank/resolve-terms.ts";
import { wordsOf } from "../../../src/search/engine/words/analyse.ts";
import { scanWords } from "../../../src/search/engine/words/scan-words.ts";
import { doc } from "./corpora.ts";

const unitsOf = (text: string): Uint16Array =>
  Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));

describe("what is quick does what is obvious", () => {
  test("words are found where the expression finds them", () => {
    const pieces = [
      "c++",
      "C#",
      "f#",
      ".net",
      ".NET",
      "asp.net",
      "node.js",
      ".js",
      "x.jsx",
      "_",
      "__init__",
      ".",
      "#",
    ];
    const others = [
      "+",
      " ",
      "-",
      "é",
      "e\u0301",
      "图表",
      "—",
      "👍",
      "\ud83d",
      "\udc4d",
      "a",
      "B",
      "7",
      "n",
      ".n",
      "٣",
    ];
    const text = fc.oneof(
      fc.array(fc.constantFrom(...pieces, ...others), { maxLength: 20 }).map((parts) => parts.join("")),
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.string({ unit: "grapheme-ascii", maxLength: 60 }),
    );
    fc.assert(
      fc.property(text, (given) => {
        const bounds = new Uint32Array(2 * given.length);
        const count = scanWords(given, unitsOf(given), bounds);
        const found = Array.from({ length: count }, (_, word) =>
          given.slice(bounds[2 * word], bounds[2 * word + 1]),
        );
        expect(found).toEqual(wordsOf(given));
      }),
      { numRuns: 2_000 },
    );
  });

  test("words are numbered as a Map would", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 2_000 }), (words) => {
        const table = createWordTable();
        const numbers = new Map<string, number>();
        for (const word of words) {
          if (!numbers.has(word)) numbers.set(word, numbers.size);
          expect(table.numberOf(unitsOf(`<${word}>`), 1, word.length + 1)).toBe(numbers.get(word));
        }
      }),
    );
  });

  test("terms are sorted by code units, however many", () => {
    const sizes = [0, 1, 1_023, 1_024, 1_025, 5_000];
    for (const size of sizes) {
      const terms = Array.from({ length: size }, (_, number) =>
        `${(number * 7_919) % 10_007}é`.slice(number % 3),
      );
      const distinct = [...new Set(terms)];
      const sorted = Array.from(runToEnd(sortTerms(distinct)), (number) => distinct[number]);
      expect(sorted).toEqual([...distinct].sort((a, b) => (a < b ? -1 : 1)));
    }
  });

  test("an array that grows holds what was appended", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(70_000), { maxLength: 5 }), (sizes) => {
        const grown = growing8();
        const singly = growing32();
        const expected: number[] = [];
        for (const size of sizes) {
          grown.pushAll(Uint8Array.from({ length: size }, (_, at) => at));
          for (let at = 0; at < size; at++) {
            singly.push(at & 255);
            expected.push(at & 255);
          }
        }
        expect([grown.length, singly.length]).toEqual([expected.length, expected.length]);
        expect(Buffer.from(runToEnd(grown.finish())).equals(Buffer.from(expected))).toBe(true);
        expect(Buffer.from(runToEnd(singly.finish())).equals(Buffer.from(expected))).toBe(true);
      }),
      { numRuns: 20 },
    );
  });

  test("a filter of pairs is the same with and without remembering some", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(90), fc.nat(90)), { maxLength: 3_000 }), (pairs) => {
        const collector = createPairCollector();
        for (let round = 0; round < 2; round++) {
          for (const [first, second] of pairs) collector.add(first, second);
          expect(collector.take()).toEqual(
            pairFilter(pairs.map(([first, second]) => pairHash(first, second))),
          );
        }
      }),
    );
  });

  test("candidates hold what a look at each posting list says", () => {
    const builder = createIndexBuilder();
    for (let number = 0; number < 3_000; number++) {
      const body = ["deploy", number % 2 ? "cluster" : "", number % 97 ? "" : "zebra", `own${number}`].join(
        " ",
      );
      runToEnd(builder.add(doc(`s${number}`, { body, name: number % 5 ? "a" : "deploy" })));
    }
    const index = runToEnd(builder.finish());
    const { terms } = resolveTerms(index, parseQuery("deploy cluster zebra own7 own2999 unheard", undefined));
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(2_999), { maxLength: 120 }), (docs) => {
        const candidates = docs.map((number) => ({ view: 0, doc: number, id: "", score: 1 }));
        const expected = candidates.flatMap((candidate) =>
          terms.map(({ ranges }) => {
            const segment = index.views[0]?.segment;
            const range = ranges[0] ?? null;
            return segment === undefined || range === null ? 0 : countsIn(segment, range, candidate.doc);
          }),
        );
        expect(Array.from(heldCounts(index, terms, candidates))).toEqual(expected);
      }),
    );
  });
});

test("more documents than 16 bits can number are found, also after a trip to the disk", () => {
  const builder = createIndexBuilder();
  for (let number = 0; number < 66_000; number++)
    runToEnd(builder.add(doc(`s${number}`, { name: `w${number}` })));
  const index = runToEnd(builder.finish());
  const read = runToEnd(parseIndex(Uint8Array.from(Buffer.concat(runToEnd(serializeIndex(index))))));
  for (const one of [index, read]) {
    for (const number of [0, 463, 65_535, 65_536, 65_999]) {
      const found = one === undefined ? [] : searchIndex(one, `w${number}`, { limit: 2 }).results;
      expect(found.map(({ id }) => id)).toEqual([`s${number}`]);
    }
  }
});
