import type { Problem } from "../diagnostic.ts";
import {
  findEndBeforeBody,
  findUnclosedEnd,
  frontMatterLanguage,
  frontMatterTooLong,
  noFrontMatter,
  textBefore,
  tooManyLines,
  unclosed,
} from "./explain.ts";
import { type Fields, readPlain } from "./fields.ts";
import { hasMoreLinesThan, lineAt, seesNameAndDescription, splitLines, type TextLine } from "./key-lines.ts";
import { isSentenceReadAsMap, readYaml, SENTENCE_READ_AS_MAP } from "./read-yaml.ts";
import { recoverFields } from "./recover.ts";

/** Where the front matter of a text is. */
export interface Block {
  readonly start: number;
  readonly end: number;
  readonly bodyStart: number;
  /** 1-based line of the file on which the block begins. */
  readonly firstLine: number;
  readonly warning?: Problem;
}

type Split = { readonly block: Block } | { readonly problem: Problem };

export interface FrontMatterPlace {
  readonly split: Split;
  /** The result does not depend on the text that follows, so a reader of the beginning of a file can stop here. */
  readonly settled: boolean;
}

/** The most front matter that is read, in UTF-16 units; a YAML parser should never see more. */
const MAX_FRONT_MATTER = 65_536;

export function findFrontMatter(text: string): FrontMatterPlace {
  const first = firstLineWithText(text);
  if (first === undefined) return { split: { problem: noFrontMatter() }, settled: false };
  const opening = readOpening(text.slice(first.line.start, first.line.end));
  const finished = isFinished(text, first.line);
  if (opening.kind === "refused") return { split: { problem: opening.problem }, settled: finished };
  if (opening.kind === "none") return findBelowText(text, first);
  if (!finished) return { split: { problem: noFrontMatter() }, settled: false };
  return findFromOpening(text, first);
}

interface NumberedLine {
  readonly line: TextLine;
  readonly number: number;
}

function firstLineWithText(text: string): NumberedLine | undefined {
  let start = text.startsWith("\ufeff") ? 1 : 0;
  for (let number = 1; start < text.length; number++) {
    const line = lineAt(text, start);
    if (text.slice(line.start, line.end).trim() !== "") return { line, number };
    start = line.next;
  }
  return undefined;
}

function findFromOpening(text: string, opening: NumberedLine): FrontMatterPlace {
  const start = opening.line.next;
  const firstLine = opening.number + 1;
  const closing = findClosing(text, start);
  if (closing.kind === "closed") {
    return { split: { block: { start, firstLine, ...closing.at } }, settled: closing.settled };
  }
  const window = text.slice(start, start + MAX_FRONT_MATTER);
  const open = findUnclosedEnd(window);
  const isCut = start + MAX_FRONT_MATTER < text.length;
  if (open === undefined || (isCut && open.bodyStart === window.length)) {
    const problem = isCut ? frontMatterTooLong(MAX_FRONT_MATTER) : noFrontMatter();
    return { split: { problem }, settled: closing.settled };
  }
  const block = {
    start,
    end: start + open.end,
    bodyStart: start + open.bodyStart,
    firstLine,
    warning: unclosed(opening.number),
  };
  return { split: { block }, settled: closing.settled };
}

/** Front matter below a title, a comment or a code fence: only where it can be nothing else. */
function findBelowText(text: string, first: NumberedLine): FrontMatterPlace {
  let settled = true;
  let { line, number } = first;
  while (number <= OPENING_WITHIN_LINES && line.start < text.length) {
    settled &&= isFinished(text, line);
    if (readOpening(text.slice(line.start, line.end)).kind === "opens") {
      const closing = findClosing(text, line.next);
      settled &&= closing.settled;
      if (closing.kind === "closed" && isSkillBlock(text.slice(line.next, closing.at.end))) {
        const block = { start: line.next, firstLine: number + 1, warning: textBefore(number), ...closing.at };
        return { split: { block }, settled };
      }
    }
    line = lineAt(text, line.next);
    number++;
  }
  return { split: { problem: noFrontMatter() }, settled: settled && number > OPENING_WITHIN_LINES };
}

type Closing =
  | {
      readonly kind: "closed";
      readonly at: { readonly end: number; readonly bodyStart: number };
      readonly settled: boolean;
    }
  | { readonly kind: "open"; readonly settled: boolean };

function findClosing(text: string, start: number): Closing {
  // The block does not count its last line break, which is up to two units.
  const limit = start + MAX_FRONT_MATTER + 2;
  let end = start;
  for (let from = start; from < text.length && from <= limit; ) {
    const line = lineAt(text, from);
    if (isClosing(text, line) && end - start <= MAX_FRONT_MATTER) {
      return { kind: "closed", at: { end, bodyStart: line.next }, settled: isFinished(text, line) };
    }
    end = line.end;
    from = line.next;
  }
  // Past the limit no closing line counts, unless the last line read could still become one.
  return { kind: "open", settled: text.length > limit + CLOSING_LINE_WITH_SPACE };
}

function isClosing(text: string, line: TextLine): boolean {
  const mark = text.slice(line.start, line.start + 3);
  if (mark !== "---" && mark !== "...") return false;
  if (line.end - line.start > CLOSING_LINE_WITH_SPACE) return false;
  return text.slice(line.start + 3, line.end).trim() === "";
}

function isSkillBlock(block: string): boolean {
  return seesNameAndDescription(splitLines(block));
}

/** Its line break has been seen whole: a CR at the very end may be half of one. */
function isFinished(text: string, line: TextLine): boolean {
  return line.next > line.end && !(line.next === text.length && text.endsWith("\r"));
}

const OPENING_WITHIN_LINES = 50;
/** More white space than this after `---` and the line closes nothing, so that a cut-off line can be judged. */
const CLOSING_LINE_WITH_SPACE = 200;

type OpeningLine =
  | { readonly kind: "opens" }
  | { readonly kind: "none" }
  | { readonly kind: "refused"; readonly problem: Problem };

/**
 * Whether a line opens front matter. Some tools take `---js` as a request to run the block; here front matter
 * is data, and a file that asks for anything else is refused rather than misread.
 */
function readOpening(line: string): OpeningLine {
  if (!line.startsWith("---")) return NONE;
  const rest = line.slice(3).trim();
  if (rest === "" || YAML.test(rest) || (rest.startsWith("#") && /\s/.test(line.charAt(3))))
    return { kind: "opens" };
  return LANGUAGE.test(rest) ? { kind: "refused", problem: frontMatterLanguage(rest) } : NONE;
}

const NONE: OpeningLine = { kind: "none" };
const YAML = /^ya?ml$/i;
const LANGUAGE = /^[A-Za-z][\w+#.-]{0,31}$/;

export interface Reading {
  readonly fields: Fields;
  /** Fields that exist, but whose value cannot be read. */
  readonly unreadable: ReadonlySet<string>;
  /** The block that was read in the end. */
  readonly source: string;
  readonly bodyStart: number;
  readonly warnings: readonly Problem[];
}

/** The fields of a block, by the first reader that can read it: plain lines, YAML, or as a person would. */
export function readBlock(text: string, block: Block): Reading | { readonly problem: Problem } {
  const source = text.slice(block.start, block.end);
  const warnings = block.warning === undefined ? [] : [block.warning];
  const whole = { source, bodyStart: block.bodyStart, warnings, unreadable: NOTHING };

  const plain = readPlain(source);
  if (plain !== undefined) return { ...whole, fields: plain };
  if (hasMoreLinesThan(source, MAX_LINES)) return { problem: tooManyLines(MAX_LINES) };
  const yaml = readYaml(source);
  const isText = yaml.ok && isSentenceReadAsMap(yaml.fields["description"]);
  if (yaml.ok && !isText) return { ...whole, fields: yaml.fields };

  const early = block.warning === undefined ? findEndBeforeBody(source) : undefined;
  if (early !== undefined) {
    const end = block.start + early.end;
    const bodyStart = block.start + early.bodyStart;
    return readBlock(text, { ...block, end, bodyStart, warning: unclosed(block.firstLine - 1) });
  }

  const { fields, unreadable, explanation } = recoverFields(
    source,
    yaml.ok ? SENTENCE_READ_AS_MAP : yaml.complaint,
  );
  const line = block.firstLine + explanation.line;
  const message = `Front matter is not valid YAML and was read line by line: ${explanation.sentence}`;
  const recovered: Problem = { code: "front-matter-recovered", message, line };
  return { ...whole, fields, unreadable, warnings: [...warnings, recovered] };
}

/** Tens of thousands of lines fit into the size limit, and they cost a YAML parser more than a start-up may take. */
const MAX_LINES = 2000;
const NOTHING: ReadonlySet<string> = new Set();
