import { parseWordTable, type WordTable } from "../../src/engine/meaning/embed.ts";
import { termsOfWord } from "../../src/engine/words/analyse.ts";

/** A small word table: the words of one line point in nearly the same direction, and no others do. */
export function tableOf(lines: readonly (readonly string[])[]): WordTable {
  const rows = new Map<string, number>();
  for (const [line, words] of lines.entries()) {
    for (const word of words) for (const term of termsOfWord(word).parts) rows.set(term, line);
  }
  const terms = [...rows.keys()].sort();
  const bytes = Buffer.alloc(terms.length * (4 + 64));
  for (const [number, term] of terms.entries()) {
    bytes.writeFloatLE(0.1, number * 4);
    let state = 1 + (rows.get(term) ?? 0);
    for (let at = 0; at < 64; at++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
      bytes[terms.length * 4 + number * 64 + at] = state >>> 16;
    }
    // A little apart, so that words of one line differ.
    bytes[terms.length * 4 + number * 64] = (number * 37) & 0xff;
  }
  const table = parseWordTable("test", `${terms.join("\n")}\n`, bytes);
  if (table === undefined) throw new Error("The table of the test is damaged.");
  return table;
}
