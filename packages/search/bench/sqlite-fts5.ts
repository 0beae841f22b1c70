import type { SearchDocument } from "../src/engine/index/build-segment.ts";
import type { Ranker } from "./ranker.ts";
import { STOP_WORDS } from "./stop-words.ts";

/** The part of node-sqlite3-wasm that is used; it is installed at run time, so its own types are not at hand. */
export interface SqliteModule {
  readonly Database: new () => {
    exec(sql: string): void;
    prepare(sql: string): {
      run(values: readonly (string | number)[]): unknown;
      all(values: readonly (string | number)[]): readonly unknown[];
    };
  };
}

/** SQLite's own full text search, in memory, with the weights that fared best on both sets of prompts. */
export function fts5Ranker(
  tokenizer: "unicode61" | "porter unicode61",
  { Database }: SqliteModule,
  documents: readonly SearchDocument[],
): Ranker {
  const database = new Database();
  database.exec(
    `CREATE VIRTUAL TABLE skill USING fts5(id UNINDEXED, name, description, keywords, body, tokenize='${tokenizer}')`,
  );
  const insert = database.prepare("INSERT INTO skill VALUES (?, ?, ?, ?, ?)");
  database.exec("BEGIN");
  for (const { id, name, description, keywords, examples, body } of documents) {
    insert.run([id, name, description, [...keywords, ...examples].join("\n"), body]);
  }
  database.exec("COMMIT");
  const select = database.prepare(
    "SELECT id FROM skill WHERE skill MATCH ? ORDER BY bm25(skill, 0, 3, 2, 1, 0.5), id LIMIT ?",
  );
  return {
    name: `SQLite FTS5, ${tokenizer}`,
    rank(query, limit) {
      const match = matchExpression(query);
      if (match === "") return [];
      return (select.all([match, limit]) as readonly { readonly id: string }[]).map(({ id }) => id);
    },
  };
}

/** Any of the words, each in quotes so that none is an operator. */
function matchExpression(query: string): string {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = [...new Set(words)].filter((word) => !STOP_WORDS.has(word));
  return telling.map((word) => `"${word}"`).join(" OR ");
}
