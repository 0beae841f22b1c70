/** A text from a file, without anything that would end its line or move a cursor. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, " ");
}
