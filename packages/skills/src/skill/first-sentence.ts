import { collapseWhiteSpace } from "./front-matter/lines.ts";

/** Lines that are no sentence: headings, rules, tables, HTML, links to images. */
const NO_PROSE = /^(?:#|[-*_=]{3,}\s*$|\||<|!\[)/;
const LIST_MARK = /^(?:[-*+>]|\d+[.)])\s+/;
const LONGEST_SENTENCE = 1024;

/** The first sentence of a Markdown text, for a skill that does not describe itself; undefined without any prose. */
export function firstSentence(markdown: string): string | undefined {
  const paragraph: string[] = [];
  let fence: string | undefined;
  let heading: string | undefined;
  for (const line of markdown.split(/\r\n|\r|\n/).map((each) => each.trim())) {
    const mark = /^(?:```|~~~)/.exec(line)?.[0];
    if (mark !== undefined) fence = fence === undefined ? mark : fence === mark ? undefined : fence;
    const isProse = mark === undefined && fence === undefined && line !== "" && !NO_PROSE.test(line);
    if (isProse) paragraph.push(line.replace(LIST_MARK, ""));
    else if (paragraph.length > 0) break;
    heading ??= /^#+\s+(.*)$/.exec(fence === undefined ? line : "")?.[1];
  }
  const text = collapseWhiteSpace(paragraph.join(" ")) || collapseWhiteSpace(heading ?? "");
  if (text === "") return undefined;
  const sentence = /^.*?[.!?。!?](?=\s|$)/u.exec(text)?.[0] ?? text;
  return sentence.slice(0, LONGEST_SENTENCE).trimEnd();
}
