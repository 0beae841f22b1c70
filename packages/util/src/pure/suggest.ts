import { editDistance } from "./edit-distance.ts";
import { nameKey } from "./name-key.ts";

/** A name that scores less shares only a few letters by chance. */
const GOOD_ENOUGH = 0.5;

/** No real name is this long; comparing it with every name would waste time. */
const LONGEST_TYPED = 200;

/** Names that someone who typed `typed` may have meant, best first: typos, prefixes and shared words. */
export function suggestNames(typed: string, names: Iterable<string>, limit = 3): readonly string[] {
  const key = nameKey(typed.trim());
  if (key === "" || key.length > LONGEST_TYPED) return [];
  const keyWords = wordsOf(key);
  const found: { name: string; score: number }[] = [];
  for (const name of names) {
    const score = name.length > LONGEST_TYPED ? 0 : likeness(key, keyWords, nameKey(name));
    if (score >= GOOD_ENOUGH) found.push({ name, score });
  }
  found.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
  return found.slice(0, limit).map((candidate) => candidate.name);
}

/** 0 (nothing in common) to 1 (the same), the best of several ways to be alike. */
function likeness(key: string, keyWords: readonly string[], name: string): number {
  // `example-skills:pdf` and `pdf` are alike whichever of the two was typed.
  const short = name.slice(name.lastIndexOf(":") + 1);
  const shortKey = key.slice(key.lastIndexOf(":") + 1);
  return Math.max(
    typoScore(key, name),
    short === name ? 0 : typoScore(key, short) - 0.01,
    shortKey === key ? 0 : typoScore(shortKey, short) - 0.02,
    prefixScore(key, name),
    wordScore(keyWords, wordsOf(name)),
  );
}

function typoScore(key: string, name: string): number {
  const longer = Math.max(key.length, name.length);
  const allowed = Math.max(1, Math.floor(longer / 3));
  const distance = editDistance(key, name, allowed);
  return distance > allowed ? 0 : 1 - distance / (longer + 1);
}

function prefixScore(key: string, name: string): number {
  const [shorter, longer] = key.length < name.length ? [key, name] : [name, key];
  if (shorter.length < 2) return 0;
  if (longer.startsWith(shorter)) return 0.6 + 0.3 * (shorter.length / longer.length);
  return shorter.length >= 3 && longer.includes(shorter) ? 0.55 : 0;
}

function wordScore(keyWords: readonly string[], nameWords: readonly string[]): number {
  let shared = 0;
  for (const word of keyWords) {
    if (nameWords.some((other) => word === other || typoScore(word, other) > 0.75)) shared++;
  }
  return shared === 0 ? 0 : 0.4 + 0.4 * (shared / Math.max(keyWords.length, nameWords.length));
}

function wordsOf(key: string): readonly string[] {
  return key.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 1);
}
