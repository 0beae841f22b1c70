import { termsOfWord } from "../words/analyse.ts";
import { append, type NumberList, numberList } from "./number-list.ts";
import { noCharacters, readText, wordEnd, wordStart } from "./word-bounds.ts";
import { createWordMap } from "./word-map.ts";

/** The terms of one text, by their numbers. */
export interface TextTerms {
  /** Every term: of a word that is split, the parts and the whole. */
  readonly mentioned: NumberList;
  /** One after the other, as pairs are made of them: of a word that is split, the whole. */
  readonly sequence: NumberList;
  /** How many terms the text has: of a word that is split, the parts. */
  length: number;
}

/** The terms of a word that has several or is split. */
interface SplitWord {
  readonly parts: readonly number[];
  /** The joined term of a word that has one, else its parts. */
  readonly whole: readonly number[];
}

/** Instead of the number of a term: a word that has none; a split word is this, less 1 and its number. */
const NO_TERM = -1;

/** Reads one text at a time: what the last call returned is overwritten. Each distinct word is analysed once: words repeat. */
export function createTermReader(termNumber: (term: string) => number): (text: string) => TextTerms {
  const characters = noCharacters();
  const terms: TextTerms = { mentioned: numberList(), sequence: numberList(), length: 0 };
  const splitWords: SplitWord[] = [];
  /** Of each word its only term, which nearly every word has, or what stands for others. */
  const words = createWordMap((codes, from, to) => {
    // A copy, because a slice would keep the whole text in memory.
    const { parts, joined } = termsOfWord(String.fromCharCode(...codes.subarray(from, to)));
    if (joined === null && parts.length < 2) return parts[0] === undefined ? NO_TERM : termNumber(parts[0]);
    const numbers = parts.map(termNumber);
    splitWords.push({ parts: numbers, whole: joined === null ? numbers : [termNumber(joined)] });
    return NO_TERM - splitWords.length;
  });

  return (text) => {
    const { mentioned, sequence } = terms;
    mentioned.length = 0;
    sequence.length = 0;
    terms.length = 0;
    readText(characters, text);
    for (let start = wordStart(characters, 0); start < text.length; ) {
      const end = wordEnd(characters, start);
      const term = words.get(characters.codes, start, end);
      start = wordStart(characters, end);
      if (term >= 0) {
        append(mentioned, term);
        append(sequence, term);
        terms.length++;
      } else if (term < NO_TERM) {
        addSplitWord(terms, splitWords[NO_TERM - 1 - term] as SplitWord);
      }
    }
    return terms;
  };
}

function addSplitWord(terms: TextTerms, { parts, whole }: SplitWord): void {
  for (const term of parts) append(terms.mentioned, term);
  if (whole !== parts) for (const term of whole) append(terms.mentioned, term);
  for (const term of whole) append(terms.sequence, term);
  terms.length += parts.length;
}
