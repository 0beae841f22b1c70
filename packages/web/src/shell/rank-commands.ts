/** How well a text answers to what was typed: 0 not at all. Whole words and starts of words come before the rest. */
function scoreOf(text: string, typed: string): number {
  const wanted = typed.trim().toLowerCase();
  if (wanted === "") return 1;
  const candidate = text.toLowerCase();
  if (candidate === wanted) return 100;
  const place = candidate.indexOf(wanted);
  if (place === 0) return 80 - Math.min(20, candidate.length - wanted.length) / 2;
  if (place > 0) return (/[\s/:._-]/.test(candidate[place - 1] ?? "") ? 60 : 40) - Math.min(20, place) / 2;
  const words = wanted.split(/\s+/);
  if (words.length > 1 && words.every((word) => candidate.includes(word))) return 30;
  return isSubsequence(candidate, wanted) ? 10 : 0;
}

function isSubsequence(text: string, letters: string): boolean {
  let from = 0;
  for (const letter of letters) {
    const place = text.indexOf(letter, from);
    if (place === -1) return false;
    from = place + 1;
  }
  return true;
}

/** The best of them in order; equal ones stay as they were. */
export function bestOf<T>(
  items: readonly T[],
  textOf: (item: T) => string,
  typed: string,
  most: number,
): readonly T[] {
  return items
    .map((item) => ({ item, score: scoreOf(textOf(item), typed) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ item }) => item);
}
