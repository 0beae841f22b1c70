import { ALIASES, type Alias } from "./aliases.ts";
import { termsOfWord, wordsOf } from "./analyse.ts";

/** The terms of a word in a phrase: the joined one when it has parts. */
export function wholeTerms(word: string): readonly string[] {
  const { parts, joined } = termsOfWord(word);
  return joined === null ? parts : [joined];
}

/**
 * Keyed by terms rather than words, so that `databases` finds what `database` does. The build works it out for `hook run`,
 * which cannot wait for it (scripts/build.mjs).
 */
export const ALIASES_BY_TERMS: Pick<ReadonlyMap<string, readonly Alias[]>, "get"> = aliasesByTerms();

function aliasesByTerms(): ReadonlyMap<string, readonly Alias[]> {
  const byTerms = new Map<string, readonly Alias[]>();
  for (const [phrase, aliases] of ALIASES) {
    const key = wordsOf(phrase).flatMap(wholeTerms).join(" ");
    byTerms.set(key, [...(byTerms.get(key) ?? []), ...aliases]);
  }
  return byTerms;
}

/** The aliases as text, a line for each entry: terms, a tab, and aliases with their shares. */
export function aliasText(): string {
  const lines = [...aliasesByTerms()].map(([terms, aliases]) => {
    return `${terms}\t${aliases.map(({ phrase, share }) => `${phrase}=${share}`).join("|")}\n`;
  });
  return `\n${lines.join("")}`;
}

export function aliasesInText(text: string): Pick<ReadonlyMap<string, readonly Alias[]>, "get"> {
  return {
    get(terms) {
      const at = text.indexOf(`\n${terms}\t`);
      if (at === -1) return undefined;
      const start = at + terms.length + 2;
      const aliases = text.slice(start, text.indexOf("\n", start)).split("|");
      return aliases.map((alias) => {
        const end = alias.lastIndexOf("=");
        return { phrase: alias.slice(0, end), share: Number(alias.slice(end + 1)) };
      });
    },
  };
}
