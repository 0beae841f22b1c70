/** A typo in a shorter word makes another word of it. */
const SHORTEST = 4;
const SHARE = 0.25;

/** The text with a quarter of its longer words misspelt by one key, the same ones every time. */
export function withTypos(text: string): string {
  let place = 0;
  return text.replace(/\p{L}+/gu, (word) => {
    if (word.length < SHORTEST) return word;
    const random = hash(`${place++} ${text}`);
    return (random % 1_000) / 1_000 < SHARE ? misspell(word, random >>> 10) : word;
  });
}

/** The first letter stays: that is the one people get right. */
function misspell(word: string, random: number): string {
  const at = 1 + (random % (word.length - 2));
  const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
  const other = String.fromCodePoint(97 + ((random >>> 8) % 26));
  switch ((random >>> 4) % 4) {
    case 0:
      return before + after;
    case 1:
      return before + letter + other + after;
    case 2:
      return before + other + after;
    default:
      return before + after.charAt(0) + letter + after.slice(1);
  }
}

/** FNV-1a with a final mix, so that its low bits are as random as the others. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}
