import type { Problem } from "./diagnostic.ts";
import { missing, type RequiredKey, readRequired, unreadable } from "./front-matter/fields.ts";
import { readBlock } from "./front-matter/read-block.ts";
import { type FrontMatterPlace, findFrontMatter } from "./front-matter/split.ts";
import { type Invocation, readInvocation } from "./invocation.ts";

export interface ParsedSkill {
  /** Trimmed, inner white space collapsed to one space. */
  readonly name: string;
  /** Trimmed, white space (line breaks included) collapsed to one space. */
  readonly description: string;
  /** Every front matter field as data, `name` and `description` as written included. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Absent when the author says nothing about it. */
  readonly invocation?: Invocation;
  /** Index in the text at which the body begins. */
  readonly bodyStart: number;
  /** What the author should fix although the skill loads. */
  readonly warnings: readonly Problem[];
}

export type ParseResult =
  | { readonly ok: true; readonly skill: ParsedSkill }
  | { readonly ok: false; readonly problem: Problem };

export interface ParseOptions {
  readonly strict?: boolean;
  /** Where the front matter of the text is, if that is known already. */
  readonly finding?: FrontMatterPlace;
}

/**
 * Reads the text of a SKILL.md file. Never throws. With `strict`, what would load with a warning is refused
 * with that warning as the reason.
 */
export function parseSkill(text: string, options: ParseOptions = {}): ParseResult {
  const { split } = options.finding ?? findFrontMatter(text);
  if ("problem" in split) return { ok: false, problem: split.problem };
  const reading = readBlock(text, split.block);
  if ("problem" in reading) return { ok: false, problem: reading.problem };
  const { fields, warnings } = reading;

  const values = { name: "", description: "" };
  for (const key of REQUIRED) {
    const value = readRequired(fields, key, reading.source);
    if (value.kind === "unreadable" || reading.unreadable.has(key)) {
      return { ok: false, problem: unreadable(key, reading.source, split.block.firstLine) };
    }
    if (value.kind === "missing") return { ok: false, problem: missing(key, fields) };
    values[key] = value.text;
  }
  const [firstWarning] = warnings;
  if (options.strict === true && firstWarning !== undefined) return { ok: false, problem: firstWarning };
  const said = readInvocation(fields, reading.source, split.block.firstLine);
  return {
    ok: true,
    skill: {
      ...values,
      fields,
      bodyStart: reading.bodyStart,
      // A value that means nothing is ignored, and nothing had to be guessed: that is no reason to refuse the skill.
      warnings: said.warnings.length === 0 ? warnings : [...warnings, ...said.warnings],
      ...(said.invocation === undefined ? {} : { invocation: said.invocation }),
    },
  };
}

const REQUIRED: readonly RequiredKey[] = ["name", "description"];
