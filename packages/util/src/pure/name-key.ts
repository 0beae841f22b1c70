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
