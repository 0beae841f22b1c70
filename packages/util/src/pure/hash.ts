const START = 0x811c_9dc5 | 0;
const PRIME = 0x0100_0193;

/** FNV-1a: fast for many short texts, and loaded without node:crypto. */
export function fnv1a(text: string, start = START): number {
  let value = start;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), PRIME);
  return value;
}

/** Sixteen hexadecimal digits, to name a file by. */
export function shortHash(text: string): string {
  const halves = [fnv1a(text), fnv1a(text, ~START)];
  return halves.map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}
