import { describe, expect, test } from "vitest";
import { eachSlice, everySlice, MOST_PER_STEP } from "../../src/catalog/steps.ts";
import {
  createIndexBuilder,
  parseIndex,
  runToEnd,
  type SearchDocument,
  type SearchIndex,
  type Steps,
  serializeIndex,
  updateIndex,
} from "../../src/search/engine/index-of-skills.ts";
import { doc } from "../search/engine/corpora.ts";

/** Runs steps to their end, and notes how much each of them did. */
function observed<Result>(steps: Steps<Result>) {
  const units: number[] = [];
  for (;;) {
    const step = steps.next();
    if (step.done === true) return { result: step.value, units };
    units.push(step.value);
  }
}

const total = (units: readonly number[]): number => units.reduce((sum, unit) => sum + unit, 0);

/** Some words that all share, so that a term has as many postings as there are documents, and some of its own. */
function documentOf(number: number): SearchDocument {
  const own = Array.from({ length: 12 }, (_, word) => `w${number}x${word}`);
  return doc(`skill-${number}`, {
    description: "deploy a cluster",
    body: `review pull requests ${own.join(" ")}`,
  });
}

function postingsOf(index: SearchIndex): number {
  return index.views.reduce((sum, { segment }) => sum + segment.postingDocs.length, 0);
}

describe("no step of indexing is long", () => {
  const SIZE = 20_000;
  const builder = createIndexBuilder();
  for (let number = 0; number < SIZE; number++) runToEnd(builder.add(documentOf(number)));
  const built = observed(builder.finish());
  const saved = observed(serializeIndex(built.result));
  const bytes = Uint8Array.from(Buffer.concat(saved.result));
  const changed = {
    removed: Array.from({ length: SIZE / 4 }, (_, number) => `skill-${number}`),
    added: Array.from({ length: 300 }, (_, number) => documentOf(SIZE + number)),
  };

  test.each([
    ["finishing a build", () => built.units],
    ["saving", () => saved.units],
    ["loading", () => observed(parseIndex(bytes)).units],
    [
      "an edit after which most of the index is written anew",
      () => observed(updateIndex(built.result, changed)).units,
    ],
    [
      "saving an edited index",
      () => {
        const { result } = observed(
          updateIndex(built.result, { removed: ["skill-7"], added: [documentOf(7)] }),
        );
        return observed(serializeIndex(result)).units;
      },
    ],
  ])("%s", (_what, unitsOf) => {
    const units = unitsOf();
    expect(Math.max(...units)).toBeLessThanOrEqual(MOST_PER_STEP);
    // Every posting was somebody's work: steps that leave it out would be short for no reason.
    expect(total(units)).toBeGreaterThan(postingsOf(built.result));
  });

  test("adding one document, however long", () => {
    const body = Array.from({ length: 5_000 }, (_, word) => `w${word}`).join(" ");
    const texts = Array.from({ length: 64 }, () => body);
    const { units } = observed(
      createIndexBuilder().add(doc("long", { body, keywords: texts, examples: texts })),
    );
    expect(units.length).toBeGreaterThan(128);
    expect(Math.max(...units)).toBeLessThanOrEqual(MOST_PER_STEP);
  });

  test("an index that was finished, saved, loaded and edited in steps holds what it should", () => {
    const loaded = runToEnd(parseIndex(bytes));
    expect(loaded?.size).toBe(SIZE);
    expect(runToEnd(updateIndex(loaded ?? built.result, changed)).size).toBe(SIZE - SIZE / 4 + 300);
  });
});

test("slices cover everything once, in order", () => {
  for (const count of [0, 1, MOST_PER_STEP, MOST_PER_STEP + 1, 3 * MOST_PER_STEP]) {
    const seen: [number, number][] = [];
    const { units } = observed(eachSlice(count, (from, to) => seen.push([from, to])));
    expect(total(units)).toBe(count);
    expect(seen.map(([from]) => from)).toEqual([0, ...seen.map(([, to]) => to)].slice(0, seen.length));
  }
});

test("a check of slices stops at the first that fails", () => {
  const seen: number[] = [];
  const passes = (from: number): boolean => seen.push(from) < 2;
  expect(runToEnd(everySlice(5 * MOST_PER_STEP, passes))).toBe(false);
  expect(seen).toEqual([0, MOST_PER_STEP]);
});
