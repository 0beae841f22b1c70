import { type CallToolResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Limit } from "#agents";
import { provenanceOf } from "#skills";
import { memoizeWeak } from "#util/pure";
import { endOfPage, sizeOf, type TextKind, wholePosition } from "../describe/page-text.ts";
import { headerText, MOST_FILES_SHOWN, type ShownSkill, skillHeader } from "./skill-header.ts";

/** The key of a loaded skill's data in the `_meta` of an answer. */
const META = "skills-mcp/skill";
/** The key in `_meta` of where the content of an answer came from. */
export const PROVENANCE = "skills-mcp/provenance";

/** The share of an answer that the header may take. */
const LARGEST_HEADER_SHARE = 1 / 3;

/** The first pages of a skill, by where clients cut them. */
const firstPagesOf = memoizeWeak((_shown: ShownSkill) => new Map<Limit | undefined, CallToolResult>());

/** The answer of `skill`: the header and the file; or the part of the file from `offset` on that the client does not cut. */
export function skillPage(shown: ShownSkill, offset: number, limit: Limit | undefined): CallToolResult {
  if (offset !== 0) return pageFrom(shown, offset, limit);
  const pages = firstPagesOf(shown);
  const page = pages.get(limit) ?? pageFrom(shown, 0, limit);
  pages.set(limit, page);
  return page;
}

function pageFrom(shown: ShownSkill, offset: number, limit: Limit | undefined): CallToolResult {
  const { text, entry } = shown;
  const start = positionIn(text, offset, "skill");
  const { head, data } = start === 0 ? headerThatFits(shown, limit) : continuedHeader(shown, start);
  const name = JSON.stringify(entry.listedAs);
  const origin = start === 0 ? { [PROVENANCE]: provenanceOf(entry.skill, text) } : {};
  return fitPage({
    text,
    kind: "markdown",
    head,
    start,
    end: text.length,
    limit,
    note: (next) =>
      `\n\n[Characters ${start} to ${next} of ${text.length}. To read on, call \`skill\` with name ${name} and offset ${next}.]`,
    meta: (nextOffset) => ({
      ...origin,
      [META]:
        start === 0 && nextOffset === undefined
          ? data
          : {
              ...data,
              offset: start,
              length: text.length,
              ...(nextOffset === undefined ? {} : { nextOffset }),
            },
    }),
  });
}

/** Where a page begins. Refuses a position after the end. */
export function positionIn(text: string, offset: number, tool: string): number {
  if (offset > 0 && offset >= text.length) throw pastTheEnd(tool, text.length, "characters");
  return wholePosition(text, offset);
}

export function pastTheEnd(tool: string, length: number, unit: "characters" | "bytes"): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Invalid arguments for tool '${tool}': 'offset': there are only ${length} ${unit}.`,
  );
}

/** Lists fewer files where they would leave little room for the skill. */
function headerThatFits(shown: ShownSkill, limit: Limit | undefined) {
  for (let most = MOST_FILES_SHOWN; ; most = Math.floor(most / 2)) {
    const head = headerText(shown, most);
    const data = skillHeader(shown, most);
    const answer = { text: head, meta: { [META]: data } };
    const fits = limit === undefined || sizeOfAnswer(answer, limit) <= limit.count * LARGEST_HEADER_SHARE;
    if (fits || most === 0) return { head, data };
  }
}

/** A short header for later pages: the model has read the whole one on the first page. */
function continuedHeader({ entry }: ShownSkill, start: number) {
  const { listedAs: name } = entry;
  return { head: `Loading: ${name}\nContinued at: ${start}\n\n`, data: { name } };
}

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
