import { nameKey } from "../skill/names.ts";
import type { Catalog, Entry } from "./catalog.ts";

export interface Hit {
  readonly entry: Entry;
  readonly score: number;
  /** The words of the query that the skill holds, in the order they were typed. */
  readonly matched: readonly string[];
}

/** How much a word counts by where it is found: a name says more than a description. */
const WEIGHT = { nameWord: 4, inName: 2.5, descriptionWord: 1.5, inDescription: 0.75 } as const;

/** A task is a sentence or two; the beginning of a pasted document says what it is about. */
const LONGEST_QUERY = 10_000;
const MOST_WORDS = 64;

/**
 * Skills that hold words of the query in their name or description, best first. A word that many skills hold
 * tells little, so it counts less. Deterministic: equal scores are ordered by name.
 */
export function searchCatalog(catalog: Catalog, query: string): readonly Hit[] {
  const words = [...new Set(splitWords(query.slice(0, LONGEST_QUERY)))].slice(0, MOST_WORDS);
  if (words.length === 0) return [];
  const weights = catalog.entries.map((entry) => wordWeights(words, entry));
  const rarity = words.map((_, index) => {
    const holders = weights.reduce((count, row) => count + ((row[index] ?? 0) > 0 ? 1 : 0), 0);
    return Math.log(1 + catalog.entries.length / (holders + 0.5));
  });
  const hits: Hit[] = [];
  for (const [index, entry] of catalog.entries.entries()) {
    const row = weights[index] ?? [];
    const score = row.reduce((sum, weight, word) => sum + weight * (rarity[word] ?? 0), 0);
    const matched = words.filter((_, word) => (row[word] ?? 0) > 0);
    if (matched.length > 0) hits.push({ entry, score: Math.round(score * 1000) / 1000, matched });
  }
  return hits.sort((a, b) => b.score - a.score || (a.entry.listedAs < b.entry.listedAs ? -1 : 1));
}

function wordWeights(words: readonly string[], entry: Entry): readonly number[] {
  const name = nameKey(entry.listedAs);
  const description = nameKey(entry.skill.description);
  const nameWords = new Set(splitWords(name));
  const descriptionWords = new Set(splitWords(description));
  return words.map((word) => {
    if (nameWords.has(word)) return WEIGHT.nameWord;
    if (word.length > 2 && name.includes(word)) return WEIGHT.inName;
    if (descriptionWords.has(word)) return WEIGHT.descriptionWord;
    return word.length > 2 && description.includes(word) ? WEIGHT.inDescription : 0;
  });
}

function splitWords(text: string): readonly string[] {
  return nameKey(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
