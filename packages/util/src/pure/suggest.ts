/** A longer name, or path of a skill, means nothing: it is not looked up. */
export const LONGEST_NAME = 1_000;

/** A name that scores less shares only a few letters by chance. */
const GOOD_ENOUGH = 0.5;

/** No real name is this long; comparing it with every name would waste time. */
const LONGEST_TYPED = 200;

/** Names that someone who typed `typed` may have meant, best first: typos, prefixes and shared words. */
export function suggestNames(typed: string, names: Iterable<string>, limit = 3): readonly string[] {
  const trimmed = typed.trim();
  if (trimmed === "" || trimmed.length > LONGEST_TYPED) return [];
  const key = nameKey(trimmed);
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

/**
 * Optimal string alignment distance (insert, delete, replace, swap of neighbours), or `limit + 1` as soon as it is
 * certain to exceed `limit`. Three rows of the classic table, allocated once per call.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast = new Uint16Array(b.length + 1);
  let last = new Uint16Array(b.length + 1);
  for (let index = 0; index <= b.length; index++) last[index] = index;
  let row = new Uint16Array(b.length + 1);
  for (let i = 1; i <= a.length; i++) {
    row[0] = i;
    let smallest = i;
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let best = Math.min(at(last, j) + 1, at(row, j - 1) + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, at(beforeLast, j - 2) + 1);
      }
      row[j] = best;
      if (best < smallest) smallest = best;
    }
    if (smallest > limit) return limit + 1;
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return Math.min(at(last, b.length), limit + 1);
}

function at(row: Uint16Array, index: number): number {
  return row[index] ?? 0;
}

/** ASCII text needs no normalization. */
const ASCII = /^[\0-\x7f]*$/;

/**
 * The key under which names are compared: case-insensitive, and independent of how Unicode encodes a letter
 * (NFC or NFD, ligatures, the Kelvin sign). Lower-casing can undo the normal form, so it is restored after.
 */
export function nameKey(name: string): string {
  if (ASCII.test(name)) return name.toLowerCase();
  // A sigma is lower-cased by its place in the word, which a prefix such as `claude:` changes.
  return name.normalize("NFKC").toLowerCase().normalize("NFKC").replaceAll("ς", "σ");
}

/** By code unit: the same order on every machine and in every locale. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
