import { WORD } from "./analyse.ts";

/**
 * Finds the words that `wordsOf` does, as places in a text instead of strings of their own: building an index meets
 * each word a hundred times, and needs it as a string once. `units` holds the code units of the text; word `w` runs
 * from `bounds[2 * w]` to `bounds[2 * w + 1]`. Answers how many there are, at most as many as code units.
 */
export function scanWords(text: string, units: Uint16Array, bounds: Uint32Array): number {
  const { length } = text;
  let count = 0;
  let at = 0;
  while (at < length) {
    const kind = kindOf(units[at] as number);
    if (kind === SEPARATOR || (kind === DOT && !mayBeginDotNet(units[at + 1]))) {
      at++;
      continue;
    }
    let end = at;
    if (kind === LETTER) {
      do end++;
      while (end < length && kindOf(units[end] as number) === LETTER);
    }
    if (kind !== LETTER || (end < length && mayGoOn(units, at, end))) {
      // Whatever is not plainly a word of ASCII letters is left to the expression that says what a word is.
      WORD.lastIndex = at;
      const found = WORD.exec(text);
      if (found === null) break;
      at = found.index;
      end = at + found[0].length;
    }
    bounds[2 * count] = at;
    bounds[2 * count + 1] = end;
    count++;
    at = end;
  }
  return count;
}

const SEPARATOR = 0;
const LETTER = 1;
const DOT = 2;
const OTHER = 3;

const ASCII_KINDS = Uint8Array.from({ length: 128 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  if (character === ".") return DOT;
  return /\w/.test(character) ? LETTER : SEPARATOR;
});

function kindOf(unit: number): number {
  return unit < 128 ? (ASCII_KINDS[unit] as number) : OTHER;
}

function mayBeginDotNet(next: number | undefined): boolean {
  return next === 0x6e || next === 0x4e;
}

/** Whether the word may not end where its ASCII letters do: `c++`, `f#`, `node.js`, `café`. */
function mayGoOn(units: Uint16Array, at: number, end: number): boolean {
  const next = units[end] as number;
  if (next >= 128) return true;
  // `+`, `#`
  if (next === 0x2b || next === 0x23) return end - at === 1;
  // `.` and a `j`
  return next === 0x2e && ((units[end + 1] as number) | 0x20) === 0x6a;
}
