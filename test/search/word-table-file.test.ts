import { afterEach, expect, test, vi } from "vitest";
import { createEmbedder, vectorOf } from "../../src/search/engine/meaning/embed.ts";
import type { WordTable } from "../../src/search/engine/meaning/word-table.ts";
import { readWordTable } from "../../src/search/word-table-file.ts";

afterEach(() => {
  vi.useRealTimers();
});

function meaningOf(table: WordTable, term: string): Int8Array {
  const embedder = createEmbedder(table);
  embedder.add(embedder.rowOf(term), 1);
  return vectorOf(embedder);
}

test("the rows leave memory when nobody searches, and mean the same when they are read again", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const table = await readWordTable();
  if (table === undefined) throw new Error("The word table is missing.");
  const { rows } = table;
  const before = meaningOf(table, "pictur");
  const areKeptFor = (ms: number): boolean => {
    vi.advanceTimersByTime(ms);
    return table.rows === rows;
  };
  expect([areKeptFor(1_500), areKeptFor(1_500), areKeptFor(2_000)]).toEqual([true, true, false]);
  expect(meaningOf(table, "pictur")).toEqual(before);
  expect(before.some((value) => value !== 0)).toBe(true);
});
