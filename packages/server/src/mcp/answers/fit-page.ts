import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Limit } from "#agents";
import { endOfPage, sizeOf, type TextKind } from "../describe/page-text.ts";

/** A text, and the page of it that is wanted. */
export interface Paged {
  readonly text: string;
  readonly kind: TextKind;
  /** What comes before the text. */
  readonly head: string;
  /** The page begins here, and ends here at the latest. */
  readonly start: number;
  readonly end: number;
  /** Where the client cuts; undefined where it does not. */
  readonly limit: Limit | undefined;
  /** How to read on from a position. */
  readonly note: (next: number) => string;
  /** The metadata of a page, with the position that the next one begins at. */
  readonly meta: (next: number | undefined) => Readonly<Record<string, unknown>>;
}

/** Every page has at least this much of the text, however long the head is. */
const LEAST_ROOM = 500;
/** Characters that a version of the protocol may add to a result. */
const SPARE = 100;

/** Returns as much of the text as the client does not cut, with a note on how to read on. */
export function fitPage({ text, kind, head, start, end, limit, note, meta }: Paged): CallToolResult {
  const answer = (until: number): TextAnswer => {
    const next = until < text.length ? until : undefined;
    const rest = next === undefined ? "" : note(next);
    return { text: head + text.slice(start, until) + rest, meta: meta(next) };
  };
  const whole = answer(end);
  if (limit === undefined || sizeOfAnswer(whole, limit) <= limit.count) return resultOf(whole);
  // No position takes more digits than the last one.
  const around = { text: head + note(text.length), meta: meta(text.length) };
  const count = Math.max(limit.count - sizeOfAnswer(around, limit), LEAST_ROOM);
  return resultOf(answer(Math.min(end, endOfPage(text, start, { ...limit, count }, kind))));
}

export interface TextAnswer {
  readonly text: string;
  readonly meta: Readonly<Record<string, unknown>>;
}

export function resultOf({ text, meta }: TextAnswer): CallToolResult {
  return { content: [{ type: "text", text }], _meta: meta };
}

/** What a client counts: the text, or the whole result where it writes that as JSON. */
export function sizeOfAnswer(answer: TextAnswer, { unit }: Limit): number {
  if (unit !== "json") return sizeOf(answer.text, unit);
  return JSON.stringify(resultOf(answer), undefined, 2).length + SPARE;
}
