import fc from "fast-check";

const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Any character, for `fc.string({ unit })`. fast-check's own `unit: "binary"` is the same, but makes a table of all million of them,
 * which takes 90 MB of a test worker until it ends.
 */
export const codePoint = fc
  .integer({ min: 0, max: 0x10_ffff - SURROGATES.count })
  .map((number) => String.fromCodePoint(number < SURROGATES.first ? number : number + SURROGATES.count));
