import { escapeInvisibleCharacters } from "#util/pure";
import type { Problem } from "./diagnostic.ts";
import { missing, type RequiredKey, readRequired, unreadable, visibleFields } from "./front-matter/fields.ts";
import { collapseWhiteSpace } from "./front-matter/key-lines.ts";
import { type FrontMatterPlace, findFrontMatter, type Reading, readBlock } from "./front-matter/split.ts";
import { type Invocation, readInvocation } from "./invocation.ts";
import { type Requirements, readRequirements } from "./requirements.ts";

export interface ParsedSkill {
  /**
   * Trimmed, inner white space collapsed to one space. Empty only if `lenient` allowed it to be missing. Invisible characters
   * are escaped, here and in all that follows.
   */
  readonly name: string;
  /** Trimmed, white space (line breaks included) collapsed to one space. */
  readonly description: string;
  /** Every front matter field as data, `name` and `description` with their white space included. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Absent when the author says nothing about it. */
  readonly invocation?: Invocation;
  readonly requirements?: Requirements;
  /** Index in the text at which the body begins. */
  readonly bodyStart: number;
  /** What the author should fix although the skill loads. */
  readonly warnings: readonly Problem[];
}

export type ParseResult =
  | { readonly ok: true; readonly skill: ParsedSkill }
  | { readonly ok: false; readonly problem: Problem };

/** What is served of files that do not follow the format. */
export interface ReadingRules {
  /** True: a file that would load with a warning is refused, with that warning as the reason. */
  readonly strict?: boolean;
  /** True: a missing name is that of the folder, and a missing description the first sentence of the text. */
  readonly lenient?: boolean;
}

export interface ParseOptions extends ReadingRules {
  /** Where the front matter of the text is, if that is known already. */
  readonly finding?: FrontMatterPlace;
}

/**
 * Reads the text of a SKILL.md file. Never throws. With `strict`, what would load with a warning is refused
 * with that warning as the reason.
 */
export function parseSkill(text: string, options: ParseOptions = {}): ParseResult {
  const { split } = options.finding ?? findFrontMatter(text);
  if ("problem" in split) {
    const isPlainText = options.lenient === true && hasNoFrontMatter(text, split.problem);
    return isPlainText ? fromReading(NO_FIELDS, text, 1, options) : { ok: false, problem: split.problem };
  }
  const reading = readBlock(text, split.block);
  if ("problem" in reading) return { ok: false, problem: reading.problem };
  return fromReading(reading, text, split.block.firstLine, options);
}

function fromReading(
  { fields: written, source, bodyStart, unreadable: unread, warnings: first }: Reading,
  text: string,
  firstLine: number,
  { strict, lenient }: ParseOptions,
): ParseResult {
  const values = { name: "", description: "" };
  const { fields, problem: invisible } = visibleFields(written, source, firstLine);
  const warnings = invisible === undefined ? [...first] : [...first, invisible];
  for (const key of REQUIRED) {
    const value = readRequired(fields, key, source);
    if (value.kind === "unreadable" || unread.has(key)) {
      return { ok: false, problem: unreadable(key, source, firstLine) };
    }
    if (value.kind === "text") {
      values[key] = value.text;
      continue;
    }
    const problem = missing(key, fields);
    const instead = key === "name" ? "" : firstSentence(text.slice(bodyStart));
    if (lenient !== true || instead === undefined) return { ok: false, problem };
    values[key] = escapeInvisibleCharacters(instead);
    warnings.push(problem);
  }
  const [firstWarning] = warnings;
  if (strict === true && firstWarning !== undefined) return { ok: false, problem: firstWarning };
  const said = readInvocation(fields, source, firstLine);
  const requirements = readRequirements(fields);
  return {
    ok: true,
    skill: {
      ...values,
      fields,
      bodyStart,
      // A value that means nothing is ignored, and nothing had to be guessed: that is no reason to refuse the skill.
      warnings: said.warnings.length === 0 ? warnings : [...warnings, ...said.warnings],
      ...(said.invocation === undefined ? {} : { invocation: said.invocation }),
      ...(requirements === undefined ? {} : { requirements }),
    },
  };
}

/** A text that does not even begin with `---`: where it does, something is wrong with the front matter. */
function hasNoFrontMatter(text: string, { code }: Problem): boolean {
  return (
    code === "no-front-matter" &&
    !text
      .replace(/^\uFEFF/, "")
      .trimStart()
      .startsWith("---")
  );
}

/** Whether a skill lacks its name or its description, and nothing else is wrong. */
export function isMissingField({ code }: Problem): boolean {
  return code === "missing-name" || code === "missing-description";
}

const NO_FIELDS: Reading = { fields: {}, unreadable: new Set(), source: "", bodyStart: 0, warnings: [] };

const REQUIRED: readonly RequiredKey[] = ["name", "description"];

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
