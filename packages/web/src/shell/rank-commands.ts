/** How well a text answers to what was typed: 0 not at all. Whole words and starts of words come before the rest. */
function scoreOf(text: string, typed: string): number {
  const wanted = typed.trim().toLowerCase();
  if (wanted === "") return 1;
  const candidate = text.toLowerCase();
  if (candidate === wanted) return 100;
  const place = candidate.indexOf(wanted);
  if (place === 0) return 80 - Math.min(20, candidate.length - wanted.length) / 2;
  if (place > 0) return (isWordStart(candidate, place) ? 60 : 40) - Math.min(20, place) / 2;
  const words = wanted.split(/\s+/);
  if (words.length > 1 && words.every((word) => candidate.includes(word))) return 30;
  return isSubsequence(candidate, wanted) ? 10 : 0;
}

function isWordStart(text: string, place: number): boolean {
  return place === 0 || /[\s/:._-]/.test(text[place - 1] ?? "");
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

/** Whether each typed word is the start of a word. */
function startsWords(text: string, typed: string): boolean {
  const words = typed.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const starts = text.toLowerCase().split(/[\s/:._-]+/);
  return words.every((word) => starts.some((start) => start.startsWith(word)));
}

/**
 * What a command does when it is chosen. An action may change or fetch something: it is found by starts of words alone, and comes
 * after everything that can be opened, unless that has no more than the typed letters in this order.
 */
type CommandKind = "opens" | "acts";

/** Below a match of a word, above one of scattered letters. */
const MOST_FOR_ACTIONS = 20;

interface Candidates<T> {
  readonly title: string;
  readonly kind: CommandKind;
  readonly items: readonly T[];
  readonly textOf: (item: T) => string;
  readonly most: number;
}

/** The groups with what matches, the best first in each; and the group with the best match first. Equals stay as they were. */
export function rankGroups<T>(
  groups: readonly Candidates<T>[],
  typed: string,
): readonly { readonly title: string; readonly items: readonly T[] }[] {
  return groups
    .map(({ title, kind, items, textOf, most }) => {
      const scored = items
        .map((item) => ({ item, score: score(kind, textOf(item), typed) }))
        .filter((each) => each.score > 0)
        .sort((a, b) => b.score - a.score)
        .slice(0, most);
      return { title, items: scored.map(({ item }) => item), best: scored[0]?.score ?? 0 };
    })
    .filter(({ items }) => items.length > 0)
    .sort((a, b) => b.best - a.best);
}

function score(kind: CommandKind, text: string, typed: string): number {
  if (kind === "opens") return scoreOf(text, typed);
  return startsWords(text, typed) ? (scoreOf(text, typed) * MOST_FOR_ACTIONS) / 100 : 0;
}
