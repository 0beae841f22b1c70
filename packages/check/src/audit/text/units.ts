import type { FileKind } from "../rule.ts";

/** A piece of text that rules look at, and the lines that it stands in. */
export interface TextUnit {
  readonly text: string;
  /** 1-based. */
  readonly line: number;
  readonly lastLine: number;
}

/** A longer line is looked at in parts. */
const LONGEST_UNIT = 4_000;
/** So that nothing is lost where a line is cut. */
const OVERLAP = 400;
const MOST_CONTINUED = 30;

/** The lines of a text; one that ends in a backslash continues. */
export function linesOf(lines: readonly string[]): readonly TextUnit[] {
  const units: TextUnit[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = at + 1;
    let whole = lines[at] ?? "";
    for (let more = 0; whole.endsWith("\\") && more < MOST_CONTINUED && at + 1 < lines.length; more++) {
      at++;
      whole = `${whole.slice(0, -1)} ${(lines[at] ?? "").trimStart()}`;
    }
    push(units, whole, line, at + 1);
  }
  return units;
}

function push(units: TextUnit[], text: string, line: number, lastLine: number): void {
  if (text.length <= LONGEST_UNIT) {
    if (text !== "") units.push({ text, line, lastLine });
    return;
  }
  for (let start = 0; start < text.length; start += LONGEST_UNIT - OVERLAP)
    units.push({ text: text.slice(start, start + LONGEST_UNIT), line, lastLine });
}

/** What begins a line and is not part of its sentence: list items, quotes, headings, comments. */
const MARKS = /^[\s>]{0,40}(?:(?:[-*+]|\d{1,3}[.)]|#{1,6}|\/\/+|--|;+|%+|\||<!--)[ \t]{1,9})?/;
const STARTS_ANEW = /^[\s>]{0,40}(?:(?:[-*+]|\d{1,3}[.)]|#{1,6}|\|)[ \t])/;
const FENCE = /^[\s>]{0,40}(?:```|~~~)/;
const MAY_BE_EMPHASIS = /[*`_]/;
const EMPHASIS = /[*`]{1,3}(?=\S)|(?<=\S)[*`]{1,3}|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)/g;
/** As many lines as a paragraph may have; a list without blank lines is cut by its items. */
const LONGEST_PARAGRAPH = 60;

interface Paragraph {
  readonly line: number;
  readonly parts: string[];
}

/**
 * The sentences of the paragraphs that have one of the lines `where`, over line ends and without the marks of Markdown. A
 * line of a code block is one of its own.
 */
export function sentencesOf(
  lines: readonly string[],
  kind: FileKind,
  where: ReadonlySet<number>,
): readonly TextUnit[] {
  const units: TextUnit[] = [];
  let paragraph: Paragraph | undefined;
  let isCode = false;
  const finish = (): void => {
    if (paragraph !== undefined && touches(paragraph, where)) splitSentences(paragraph, units);
    paragraph = undefined;
  };
  for (const [at, raw] of lines.entries()) {
    const isFence = kind === "prose" && FENCE.test(raw);
    if (isFence) isCode = !isCode;
    const startsAnew = isFence || isCode || raw.trim() === "" || (kind === "prose" && STARTS_ANEW.test(raw));
    if (startsAnew || (paragraph !== undefined && paragraph.parts.length >= LONGEST_PARAGRAPH)) finish();
    if (isFence || raw.trim() === "") continue;
    paragraph ??= { line: at + 1, parts: [] };
    paragraph.parts.push(raw);
  }
  finish();
  return units;
}

function touches({ line, parts }: Paragraph, where: ReadonlySet<number>): boolean {
  return parts.some((_, at) => where.has(line + at));
}

/** Cuts a paragraph where a sentence ends, and knows the lines of each. */
function splitSentences({ line: firstLine, parts }: Paragraph, units: TextUnit[]): void {
  let sentence = "";
  let line = firstLine;
  for (const [at, raw] of parts.entries()) {
    const plain = raw.replace(MARKS, "");
    const part = (MAY_BE_EMPHASIS.test(plain) ? plain.replace(EMPHASIS, "") : plain).trim();
    for (const piece of part.split(/(?<=[.!?;])\s{1,9}/)) {
      if (sentence === "") line = firstLine + at;
      sentence = sentence === "" ? piece : `${sentence} ${piece}`;
      if (/[.!?;]["')\]]?$/.test(piece) || sentence.length > LONGEST_UNIT / 2) {
        push(units, sentence, line, firstLine + at);
        sentence = "";
      }
    }
  }
  push(units, sentence, line, firstLine + parts.length - 1);
}

/** Files without an extension that are code. */
const CODE_NAMES =
  /(?:^|\/)(?:Makefile|GNUmakefile|Dockerfile|Containerfile|Justfile|Rakefile|Gemfile|Procfile|Vagrantfile|Jenkinsfile)$/i;
const PROSE = /(?:^|\/)(?:[^./]{1,200}|[^/]{0,200}\.(?:md|mdx|markdown|txt|rst|adoc|text))$/i;

export function kindOf(path: string, text: string): FileKind {
  const isCode = text.startsWith("#!") || CODE_NAMES.test(path);
  return PROSE.test(path) && !isCode ? "prose" : "code";
}
