/**
 * The form in which keywords and the words of a context are compared: Unicode lower case, and one spelling for a
 * letter with an accent. Lower case comes first, because it can make letters that compose (`J` and a caron do not).
 */
export function foldWord(text: string): string {
  return text.toLowerCase().normalize("NFC");
}

const SHORTEST_PART = 3;

/** Too short to be found inside of another word: `go` says nothing about `golang`. Counts characters, not units. */
export function isShort(word: string): boolean {
  if (word.length < SHORTEST_PART) return true;
  return word.length < 2 * SHORTEST_PART && Array.from(word).length < SHORTEST_PART;
}
