import { readBlock } from "./front-matter/read-block.ts";
import { missing, readRequired, unreadable } from "./front-matter/required-field.ts";
import { findFrontMatter } from "./front-matter/split.ts";
import { readLibraryFields } from "./library-fields.ts";
import type { LibraryFrontMatter } from "./library-front-matter.ts";
import { missingKeywords } from "./missing-keywords.ts";
import type { ParseOptions } from "./parse-skill.ts";
import type { Problem } from "./problem.ts";

interface ParsedLibrarySkill {
  readonly frontMatter: LibraryFrontMatter;
  /** Every front matter field as data. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Index in the text at which the body begins. */
  readonly bodyStart: number;
  readonly warnings: readonly Problem[];
}

export type LibraryParseResult =
  | { readonly ok: true; readonly skill: ParsedLibrarySkill }
  | { readonly ok: false; readonly problem: Problem };

/**
 * Reads the text of a library's Markdown file. Never throws. With `strict`, a front matter that had to be recovered is
 * refused with that as the reason.
 */
export function parseLibrarySkill(text: string, options: ParseOptions = {}): LibraryParseResult {
  const { split } = options.finding ?? findFrontMatter(text);
  if ("problem" in split) return { ok: false, problem: inLibrary(split.problem) };
  const reading = readBlock(text, split.block);
  if ("problem" in reading) return { ok: false, problem: reading.problem };
  const { fields, source, bodyStart } = reading;

  const description = readRequired(fields, "description", source);
  if (description.kind === "unreadable" || reading.unreadable.has("description")) {
    return { ok: false, problem: unreadable("description", source, split.block.firstLine) };
  }
  const { keywords, ...rest } = readLibraryFields(fields);
  if (keywords === undefined) {
    return { ok: false, problem: missingKeywords(reading, split.block.firstLine) };
  }
  if (description.kind === "missing") return { ok: false, problem: missing("description", fields) };
  const [recovered] = reading.warnings;
  if (options.strict === true && recovered !== undefined) return { ok: false, problem: recovered };

  const { warnings, ...declared } = rest;
  const frontMatter = { keywords, description: description.text, ...declared };
  return {
    ok: true,
    skill: { frontMatter, fields, bodyStart, warnings: [...reading.warnings, ...warnings] },
  };
}

/** Every Markdown file lies in a library's way: a README is no mistake, it is only no skill. */
function inLibrary(problem: Problem): Problem {
  if (problem.code !== "no-front-matter") return problem;
  const message =
    "There is no front matter, so it is not a skill of the library. To make it one, begin the file with a line `---`, a `keywords: […]` line, a `description:` line and another line `---`.";
  return { ...problem, message };
}
