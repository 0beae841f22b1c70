/** The text in a value of a model API, however deep it lies: strings, lists of parts, `{ text }`, `{ content }`. */
export function textOf(value) {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(textOf).join("\n");
  if (typeof value !== "object" || value === null) return "";
  return textOf(value.text ?? value.content ?? value.parts ?? value.output);
}
