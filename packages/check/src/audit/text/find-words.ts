/** Five bits of a byte: enough to tell letters apart, and a table that fits into a processor's cache. */
const BITS = 5;
const SIZE = 1 << BITS;
const MASK = SIZE - 1;
const KEYS = SIZE ** 3;
const NEWLINE = 10;

type OnFound = (word: string, line: number) => void;

interface Word {
  readonly text: string;
  readonly bytes: Uint8Array;
}

/**
 * Finds the line of every place where one of many words begins, also where they overlap. A look-up by three bytes rules out
 * most places of a text; one pattern of all words takes several times as long, and so does reading characters instead of bytes.
 */
export function createWordFinder(words: readonly string[]): (text: string, onFound: OnFound) => void {
  const encoder = new TextEncoder();
  const all = words.map((text): Word => ({ text, bytes: encoder.encode(text) }));
  // Words by key: a number for each key, which is 0 where no word begins like that.
  const groups: Word[][] = [[]];
  const groupOf = new Uint16Array(KEYS);
  for (const word of all) {
    for (const key of keysOf(word)) {
      if (groupOf[key] === 0) groupOf[key] = groups.push([]) - 1;
      groups[groupOf[key] as number]?.push(word);
    }
  }

  return (text, onFound) => {
    const bytes = encoder.encode(text);
    let line = 1;
    let lineEnd = bytes.indexOf(NEWLINE);
    const compare = (at: number, candidates: readonly Word[]): void => {
      for (const word of candidates) {
        if (!isAt(bytes, at, word.bytes)) continue;
        for (; lineEnd !== -1 && lineEnd < at; line++) lineEnd = bytes.indexOf(NEWLINE, lineEnd + 1);
        onFound(word.text, line);
      }
    };
    let key = 0;
    for (let end = 0; end < bytes.length; end++) {
      key = ((key << BITS) | ((bytes[end] as number) & MASK)) & (KEYS - 1);
      const group = groupOf[key] as number;
      if (group !== 0 && end > 1) compare(end - 2, groups[group] as readonly Word[]);
    }
    // At the last two places only short words fit, with nothing behind them.
    for (let at = Math.max(0, bytes.length - 2); at < bytes.length; at++) compare(at, all);
  };
}

function isAt(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  if (at + word.length > bytes.length) return false;
  for (let next = 0; next < word.length; next++) if (bytes[at + next] !== word[next]) return false;
  return true;
}

/** The keys under which a word is found: after a word of one or two bytes, anything may follow. */
function keysOf({ bytes }: Word): readonly number[] {
  const anything = Array.from({ length: SIZE }, (_, bits) => bits);
  let keys = [0];
  for (let at = 0; at < 3; at++) {
    const byte = bytes[at];
    const next = byte === undefined ? anything : [byte & MASK];
    keys = keys.flatMap((key) => next.map((bits) => (key << BITS) | bits));
  }
  return keys;
}
