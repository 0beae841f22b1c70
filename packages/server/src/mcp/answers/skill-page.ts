import { type CallToolResult, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Limit } from "#agents";
import { provenanceOf } from "#skills";
import { memoizeWeak } from "#util/pure";
import { wholePosition } from "../describe/page-text.ts";
import { fitPage, sizeOfAnswer } from "./fit-page.ts";
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
