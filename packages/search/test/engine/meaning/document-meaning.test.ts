import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rounds } from "../../../../../test/support/rounds.ts";
import type { SearchDocument } from "../../../src/engine/index/build-segment.ts";
import { createIndexBuilder } from "../../../src/engine/index/search-index.ts";
import type { Segment } from "../../../src/engine/index/segment.ts";
import { DIMENSIONS } from "../../../src/engine/index/segment.ts";
import { passagesOf } from "../../../src/engine/meaning/document-meaning.ts";
import { createEmbedder, vectorOf } from "../../../src/engine/meaning/embed.ts";
import { runToEnd } from "../../../src/engine/steps.ts";
import { termsOfWord, wordsOf } from "../../../src/engine/words/analyse.ts";
import { corpus, doc } from "../corpora.ts";
import { tableOf } from "../test-table.ts";

const TABLE = tableOf([
  ["deploy", "kubernetes", "cluster"],
  ["review", "pull", "request", "github"],
  ["pdf", "form", "file"],
  ["database", "postgres", "migration"],
]);

function segmentOf(documents: readonly SearchDocument[]): Segment {
  const builder = createIndexBuilder(TABLE);
  for (const document of documents) builder.add(document);
  return runToEnd(builder.finish()).views[0]?.segment as Segment;
}

/** The obvious version: the words of a text, counted. */
function meaningOf(...texts: readonly string[]): readonly number[] {
  const counts = new Map<string, number>();
  for (const word of texts.flatMap((text) => wordsOf(text))) {
    const { parts, joined } = termsOfWord(word);
    for (const term of joined === null ? parts : [...parts, joined]) {
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
  }
  const embedder = createEmbedder(TABLE);
  for (const [term, count] of counts) {
    const row = embedder.rowOf(term);
    if (row !== -1) embedder.add(row, count);
  }
  return [...vectorOf(embedder)];
}

const vectors = (all: Int8Array): readonly (readonly number[])[] =>
  Array.from({ length: all.length / DIMENSIONS }, (_, number) => [
    ...all.subarray(number * DIMENSIONS, (number + 1) * DIMENSIONS),
  ]);

const PASSAGE = "# Heading\nDeploy the cluster, then review the pull request on GitHub.\n";

describe("the vectors of a document", () => {
  test("the vectors of a document: one for all above the body, one for each passage", () => {
    fc.assert(
      fc.property(
        corpus.filter(({ length }) => length > 0),
        (documents) => {
          const { heads, passages, passageStarts } = segmentOf(documents);
          expect(vectors(heads)).toEqual(
            documents.map(({ name, description, keywords, examples }) =>
              meaningOf(name, description, ...keywords, ...examples),
            ),
          );
          const bodies = documents.map(({ body }) =>
            passagesOf(body)
              .filter(({ length }) => length >= 40)
              .map((passage) => meaningOf(passage)),
          );
          expect(vectors(passages)).toEqual(bodies.flat());
          expect([...passageStarts]).toEqual(
            [...bodies, []].map((_, at) => bodies.slice(0, at).flat().length),
          );
        },
      ),
      rounds(40),
    );
  });

  test.each([
    [39, 0],
    [40, 1],
  ])("a passage of %i characters has %i", (length, count) => {
    const { passages } = segmentOf([doc("a", { body: "deploy ".repeat(6).slice(0, length) })]);
    expect(vectors(passages)).toHaveLength(count);
  });

  test("a short passage adds nothing to the next", () => {
    const { passages } = segmentOf([doc("a", { body: `# pdf\n${PASSAGE}` })]);
    expect(vectors(passages)).toEqual([meaningOf(PASSAGE)]);
  });

  test("only the first 16 passages of a body have one, and the rest adds nothing to the next document", () => {
    const long = doc("long", { body: PASSAGE.repeat(17) });
    const { heads, passageStarts } = segmentOf([long, doc("next", { name: "pdf" })]);
    expect([...passageStarts]).toEqual([0, 16, 16]);
    expect(vectors(heads)[1]).toEqual(meaningOf("pdf"));
  });
});
