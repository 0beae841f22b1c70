import { parseJson } from "#util/pure";

/** What a header of the analytics endpoint must be, as the end of a sentence. */
export const HEADER = 'a header such as "X-Team: shop", not one that skills-mcp sets itself';

const NAME = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]+$/;
/** Headers that the delivery of events sets itself, or that describe the connection and not the request. */
const OWN: ReadonlySet<string> = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "expect",
  "host",
  "idempotency-key",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** `Name: value` as its parts; undefined when it cannot be sent. */
export function parseHeader(text: string): readonly [name: string, value: string] | undefined {
  const colon = text.indexOf(":");
  const name = text.slice(0, Math.max(colon, 0)).trim();
  const value = text.slice(colon + 1).trim();
  const isSent = NAME.test(name) && VALUE.test(value) && !OWN.has(name.toLowerCase());
  return isSent ? [name, value] : undefined;
}

/** The headers of a variable: one in each line, or a JSON list of them. Undefined when one cannot be sent. */
export function parseHeaderList(text: string): readonly string[] | undefined {
  const lines: unknown = text.startsWith("[") ? parseJson(text) : text.split("\n");
  if (!Array.isArray(lines)) return undefined;
  const headers: string[] = [];
  for (const line of lines as readonly unknown[]) {
    if (typeof line !== "string") return undefined;
    if (line.trim() === "") continue;
    if (parseHeader(line) === undefined) return undefined;
    headers.push(line.trim());
  }
  return headers;
}

/** Headers by name, for a request. */
export function headersOf(list: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    list.flatMap((line) => [parseHeader(line)].filter((header) => header !== undefined)),
  );
}

/** A header without its value, which may be a secret. */
export function withoutValue(header: string): string {
  return `${header.slice(0, Math.max(header.indexOf(":"), 0))}: …`;
}
