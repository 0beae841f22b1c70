import { stemEnglish } from "./porter2.ts";
import { STOP_WORDS } from "./stop-words.ts";

/** Part of every cached index: one made by another analyser must not be searched. Raise it with any change here. */
export const ANALYSER_VERSION = 3;

/** What a word of a text is indexed and searched as. */
export interface WordTerms {
  /** In reading order: `getUserName` → get, user, name. */
  readonly parts: readonly string[];
  /** The word unsplit, so that `getusername` finds it: only when there are several parts. */
  readonly joined: string | null;
}

/**
 * The words of a text as typed. `_` and `.js` stay inside, so that identifiers and `node.js` are seen whole; `c++`,
 * `c#`, `f#` and `.net` are names. `index/word-bounds.ts` finds the same in the texts of an index.
 */
export function wordsOf(text: string): readonly string[] {
  return text.match(isAscii(text) ? ASCII_WORD : WORD()) ?? [];
}

const ASCII_WORD =
  /[cC]\+\+|[cCfF]#(?![a-zA-Z0-9])|\.(?:net|NET|Net)(?![a-zA-Z0-9])|[a-zA-Z0-9_]+(?:\.[jJ][sS](?![a-zA-Z0-9]))?/g;

/** Made when it is needed: classes of all scripts take a while to set up, which a hook would wait for. */
const WORD = (): RegExp =>
  /[cC]\+\+|[cCfF]#(?![\p{L}\p{N}])|\.(?:net|NET|Net)(?![\p{L}\p{N}])|[\p{L}\p{N}\p{M}_]+(?:\.[jJ][sS](?![\p{L}\p{N}]))?/gu;

/** Longer words are hashes and encoded data; their beginning is enough to find them again. */
const LONGEST_TERM = 40;
const LONGEST_WORD = 200;

const PLAIN = /^(?:[A-Z]?[a-z0-9]+|[A-Z0-9]+)$/;

/** Accents are folded, as they are often left out when typing. Marks of other scripts are letters there, and stay. */
function foldText(text: string): string {
  if (isAscii(text)) return text;
  return text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
}

export function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false;
  return true;
}

export function termsOfWord(word: string): WordTerms {
  // Almost every word: the tests below cannot match such a word, and cost ten times as much.
  if (PLAIN.test(word)) return { parts: termOf(word), joined: null };
  const folded = foldText(word.slice(0, LONGEST_WORD));
  if (/^(?:c\+\+|[cf]#|\.net)$/i.test(folded)) return { parts: [folded.toLowerCase()], joined: null };
  if (isUnspaced(folded)) return { parts: folded.split(UNSPACED_RUN()).flatMap(partsOfRun), joined: null };
  const pieces = splitIdentifier(folded);
  const parts = pieces.flatMap(termOf);
  if (pieces.length < 2) return { parts, joined: null };
  // `node.js` is also written `nodejs`; the whole of `__init__` is its only part.
  const [joined] = termOf(pieces.join(""));
  return { parts, joined: joined === undefined || parts.includes(joined) ? null : joined };
}

/** Whether a word or term is in a script without spaces, at least in part. Hangul has some, but glues particles to its words. */
export function isUnspaced(word: string): boolean {
  return !isAscii(word) && UNSPACED().test(word);
}

/** Made when they are needed, too. */
const UNSPACED = (): RegExp =>
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;
const UNSPACED_RUN = (): RegExp =>
  /([\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]+)/u;

/** Single characters find much, pairs find words: together they do better than a segmenter with a dictionary. */
function partsOfRun(run: string): readonly string[] {
  if (!isUnspaced(run)) return splitIdentifier(run).flatMap(termOf);
  const letters = Array.from(run);
  const parts: string[] = [];
  for (const [index, letter] of letters.entries()) {
    parts.push(letter);
    const next = letters[index + 1];
    if (next !== undefined) parts.push(letter + next);
  }
  return parts;
}

/** At `_` and `.`, where lower case turns to upper (`camelCase`), and before the last capital of a run (`PDFFile`). */
function splitIdentifier(word: string): readonly string[] {
  const isPlain = isAscii(word);
  const whole = isPlain ? PLAIN : /^(?:[\p{Ll}\p{N}]+|[\p{Lu}\p{N}]+|\p{Lu}[\p{Ll}\p{N}]+)$/u;
  if (whole.test(word)) return [word];
  const between = isPlain
    ? /[_.]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/
    : /[_.]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
  return word.split(between).filter((piece) => piece !== "");
}

function termOf(piece: string): readonly string[] {
  const lower = piece.toLowerCase();
  if (STOP_WORDS.has(lower)) return [];
  const short = lower.slice(0, LONGEST_TERM);
  // The stemmer takes the `s` of `ios` for a plural.
  return [/^[a-z]+$/.test(short) && short !== "ios" ? stemEnglish(short) : short];
}
