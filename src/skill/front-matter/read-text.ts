import type { RawField } from "./raw-fields.ts";
import { collapseWhiteSpace } from "./white-space.ts";

/**
 * The text that a person reads in a field that YAML cannot read. `undefined` when the field opens a list or map
 * and never closes it: then nobody can tell what was meant.
 */
export function readText(field: RawField): string | undefined {
  const first = withoutBlockHeader(field.first);
  const rest = field.rest.filter((line) => !COMMENT.test(line)).join("\n");
  // A quoted line is whole; what follows it was added later, or by another hand.
  const head = isQuotedWhole(first) ? withoutOuterQuotes(first) : first;
  const text = collapseWhiteSpace(`${head}\n${rest}`);
  if (head !== first) return text;
  return opensWithoutClosing(text) ? undefined : withoutOuterQuotes(text);
}

/** `| text` and `>- text`: the author began the block on the line that announces it. */
function withoutBlockHeader(first: string): string {
  return first.replace(BLOCK_HEADER, "");
}

function opensWithoutClosing(text: string): boolean {
  const open = text.charAt(0);
  const close = open === "[" ? "]" : open === "{" ? "}" : undefined;
  if (close === undefined) return false;
  let depth = 0;
  for (const character of text) {
    if (character === open) depth++;
    if (character === close && --depth === 0) return false;
  }
  return true;
}

function withoutOuterQuotes(text: string): string {
  const quote = text.charAt(0);
  if (quote !== '"' && quote !== "'") return text;
  const second = nextQuote(text, quote);
  // Opened and never closed.
  if (second === -1) return unescaped(text.slice(1), quote).trim();
  if (!text.endsWith(quote)) return text;
  // `"this" and "that"` begins with a quoted word; `"use "this" for that"` is a quoted whole.
  const isWhole = second === text.length - 1 || OPENS_A_QUOTE.test(text.charAt(second - 1));
  return isWhole || quote === "'" ? unescaped(text.slice(1, -1), quote).trim() : text;
}

function isQuotedWhole(line: string): boolean {
  const quote = line.charAt(0);
  return (quote === '"' || quote === "'") && line.length > 1 && nextQuote(line, quote) === line.length - 1;
}

function nextQuote(text: string, quote: string): number {
  let at = text.indexOf(quote, 1);
  while (at !== -1 && text.charAt(at - 1) === "\\") at = text.indexOf(quote, at + 1);
  return at;
}

function unescaped(text: string, quote: string): string {
  if (quote === "'") return text.replaceAll("''", "'");
  return collapseWhiteSpace(
    text.replaceAll(/\\(["\\/nrt])/g, (_, escaped: string) => ESCAPES[escaped] ?? escaped),
  );
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\n", t: "\t" };
const COMMENT = /^#(?:\s|$)/;
// The white space may be missing before a letter (`|Text`), but `>80 %` is meant as it stands.
const BLOCK_HEADER = /^[|>](?:[+-]?[1-9]?[+-]?(?=\s|$)|(?=\p{L}))/u;
const OPENS_A_QUOTE = /[\s([{:,（【：，、—–-]/;
