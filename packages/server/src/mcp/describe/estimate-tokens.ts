/**
 * Roughly what a model counts: four characters of plain text make a token, other writing takes about one and a half
 * characters each. Models differ by a fifth either way.
 */
export function estimateTokens(text: string): number {
  let other = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) other++;
  return Math.ceil((text.length - other) / 4 + other / 1.5);
}
