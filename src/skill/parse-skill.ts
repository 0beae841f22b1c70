import type { Fields } from "./front-matter/fields.ts";
import { readPlain } from "./front-matter/read-plain.ts";
import { readYaml } from "./front-matter/read-yaml.ts";
import { recoverFields } from "./front-matter/recover.ts";
import { missing, type RequiredKey, readRequired, unreadable } from "./front-matter/required-field.ts";
import { type Block, findFrontMatter } from "./front-matter/split.ts";
import { findEndBeforeBody } from "./front-matter/unclosed.ts";
import { unclosed } from "./front-matter/refusals.ts";
import type { Problem } from "./problem.ts";

export interface ParsedSkill {
  /** Trimmed, inner white space collapsed to one space. */
  readonly name: string;
  /** Trimmed, white space (line breaks included) collapsed to one space. */
  readonly description: string;
  /** Every front matter field as data, `name` and `description` as written included. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Index in the text at which the body begins. */
  readonly bodyStart: number;
  /** What the author should fix although the skill loads. */
  readonly warnings: readonly Problem[];
}

export type ParseResult =
  | { readonly ok: true; readonly skill: ParsedSkill }
  | { readonly ok: false; readonly problem: Problem };

/**
 * Reads the text of a SKILL.md file. Never throws. With `strict`, what would load with a warning is refused
 * with that warning as the reason.
 */
export function parseSkill(text: string, options: { readonly strict?: boolean } = {}): ParseResult {
  const { split } = findFrontMatter(text);
  if ("problem" in split) return { ok: false, problem: split.problem };
  const reading = readBlock(text, split.block);
  const { fields, warnings } = reading;

  const values = { name: "", description: "" };
  for (const key of REQUIRED) {
    const value = readRequired(fields, key, reading.source);
    if (value.kind === "unreadable" || reading.unreadable.has(key)) return { ok: false, problem: unreadable(key) };
    if (value.kind === "missing") return { ok: false, problem: missing(key, fields) };
    values[key] = value.text;
  }
  const [firstWarning] = warnings;
  if (options.strict === true && firstWarning !== undefined) return { ok: false, problem: firstWarning };
  return { ok: true, skill: { ...values, fields, bodyStart: reading.bodyStart, warnings } };
}

/** True when `head` (the beginning of a longer file) already holds the whole front matter, so no more need be read. */
export function holdsWholeFrontMatter(head: string): boolean {
  return findFrontMatter(head).settled;
}

interface Reading {
  readonly fields: Fields;
  readonly unreadable: ReadonlySet<string>;
  readonly source: string;
  readonly bodyStart: number;
  readonly warnings: readonly Problem[];
}

function readBlock(text: string, block: Block): Reading {
  const source = text.slice(block.start, block.end);
  const warnings = block.warning === undefined ? [] : [block.warning];
  const whole = { source, bodyStart: block.bodyStart, warnings, unreadable: NOTHING };
  const plain = readPlain(source);
  if (plain !== undefined) return { ...whole, fields: plain };
  const yaml = readYaml(source);
  if (yaml.ok) return { ...whole, fields: yaml.fields };

  const early = block.warning === undefined ? findEndBeforeBody(source) : undefined;
  if (early !== undefined) {
    const end = block.start + early.end;
    const bodyStart = block.start + early.bodyStart;
    return readBlock(text, { ...block, end, bodyStart, warning: unclosed(block.firstLine - 1) });
  }
  const recovery = recoverFields(source, yaml.complaint);
  const line = block.firstLine + recovery.explanation.line;
  const message = `Line ${line}: ${recovery.explanation.sentence}`;
  return {
    ...whole,
    fields: recovery.fields,
    unreadable: recovery.unreadable,
    warnings: [...warnings, { code: "front-matter-recovered", message, line }],
  };
}

const REQUIRED: readonly RequiredKey[] = ["name", "description"];
const NOTHING: ReadonlySet<string> = new Set();
