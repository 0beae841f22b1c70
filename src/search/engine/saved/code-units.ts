import { eachSlice, MOST_PER_STEP, type Steps } from "../../../catalog/steps.ts";

// Text as the UTF-16 that it is in memory: a name may hold half a surrogate pair, which UTF-8 cannot.

export function* codeUnits(text: string): Steps<Uint16Array> {
  const units = new Uint16Array(text.length);
  yield* eachSlice(text.length, (from, to) => {
    for (let at = from; at < to; at++) units[at] = text.charCodeAt(at);
  });
  return units;
}

/** A call takes a limited number of arguments. */
const UNITS_AT_ONCE = MOST_PER_STEP / 2;

export function* textOf(units: Uint16Array): Steps<string> {
  const pieces: string[] = [];
  for (let from = 0; from < units.length; from += UNITS_AT_ONCE) {
    pieces.push(String.fromCharCode(...units.subarray(from, from + UNITS_AT_ONCE)));
    yield UNITS_AT_ONCE;
  }
  return pieces.join("");
}

/** Paths, which ids are, have about as many letters. */
const UNITS_PER_TEXT = 64;
const TEXTS_AT_ONCE = MOST_PER_STEP / UNITS_PER_TEXT;

/** The units of all texts, one after another. */
export function* unitsOfAll(texts: readonly string[]): Steps<Uint16Array> {
  const units = new Uint16Array(texts.reduce((sum, text) => sum + text.length, 0));
  let at = 0;
  for (let from = 0; from < texts.length; from += TEXTS_AT_ONCE) {
    for (const text of texts.slice(from, from + TEXTS_AT_ONCE)) {
      for (let letter = 0; letter < text.length; letter++) units[at++] = text.charCodeAt(letter);
    }
    yield TEXTS_AT_ONCE * UNITS_PER_TEXT;
  }
  return units;
}

/** Cuts them apart again. */
export function* textsOf(units: Uint16Array, lengths: Uint32Array): Steps<readonly string[]> {
  const all = yield* textOf(units);
  const texts: string[] = [];
  let end = 0;
  yield* eachSlice(lengths.length, (from, to) => {
    for (const length of lengths.subarray(from, to)) {
      end += length;
      texts.push(all.slice(end - length, end));
    }
  });
  return texts;
}
