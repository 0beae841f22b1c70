import type { Problem } from "../diagnostic.ts";
import type { Fields } from "./fields.ts";
import { hasMoreLinesThan } from "./lines.ts";
import { tooManyLines, unclosed } from "./problems.ts";
import { readPlain } from "./read-plain.ts";
import { isSentenceReadAsMap, readYaml, SENTENCE_READ_AS_MAP } from "./read-yaml.ts";
import { recoverFields } from "./recover.ts";
import type { Block } from "./split.ts";
import { findEndBeforeBody } from "./unclosed.ts";

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
