import { isRecord } from "#util/pure";
import type { Problem } from "./diagnostic.ts";
import { missing, readRequired, unreadable, visibleFields } from "./front-matter/fields.ts";
import { lineOfKey } from "./front-matter/key-lines.ts";
import { type Reading, readBlock } from "./front-matter/read-block.ts";
import { findFrontMatter } from "./front-matter/split.ts";
import { type LibraryFrontMatter, readLibraryFields } from "./library-front-matter.ts";
import type { ParseOptions } from "./parse-skill.ts";

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
 * Reads the text of a library's Markdown file. Never throws. With `strict`, a front matter that had to be recovered or
 * has hidden characters is refused with that as the reason.
 */
export function parseLibrarySkill(text: string, options: ParseOptions = {}): LibraryParseResult {
  const { split } = options.finding ?? findFrontMatter(text);
  if ("problem" in split) return { ok: false, problem: inLibrary(split.problem) };
  const reading = readBlock(text, split.block);
  if ("problem" in reading) return { ok: false, problem: reading.problem };
  const { source, bodyStart } = reading;
  const { fields, problem: hidden } = visibleFields(reading.fields, source, split.block.firstLine);

  const description = readRequired(fields, "description", source);
  if (description.kind === "unreadable" || reading.unreadable.has("description")) {
    return { ok: false, problem: unreadable("description", source, split.block.firstLine) };
  }
  const { keywords, ...rest } = readLibraryFields(fields);
  if (keywords === undefined) {
    return { ok: false, problem: missingKeywords(reading, split.block.firstLine) };
  }
  if (description.kind === "missing") return { ok: false, problem: missing("description", fields) };
  const found = hidden === undefined ? reading.warnings : [...reading.warnings, hidden];
  const [first] = found;
  if (options.strict === true && first !== undefined) return { ok: false, problem: first };

  const { warnings, ...declared } = rest;
  const frontMatter = { keywords, description: description.text, ...declared };
  return {
    ok: true,
    skill: { frontMatter, fields, bodyStart, warnings: [...found, ...warnings] },
  };
}

/** Any Markdown file may be in a library: a README is not a mistake, it is just not a skill. */
function inLibrary(problem: Problem): Problem {
  if (problem.code !== "no-front-matter") return problem;
  const message =
    "No front matter, so this is not a library skill. To make it one, start the file with a `---` line, then `keywords: […]` and `description:` lines and a closing `---` line.";
  return { ...problem, message };
}

/** Why a library skill has no keywords, and what to write. `firstLine` is the line on which its front matter begins. */
function missingKeywords(reading: Reading, firstLine: number): Problem {
  return {
    ...lineOfKey("keywords", reading.source, firstLine),
    code: "missing-keywords",
    message: reasonOf(reading),
  };
}

const EXAMPLE = "`keywords: [react, login]`";

function reasonOf({ fields, unreadable, warnings }: Reading): string {
  const { keywords } = fields;
  if (unreadable.has("keywords")) {
    return `\`keywords\` opens a list or a map and never closes it. Put the words in brackets, such as ${EXAMPLE}.`;
  }
  if (typeof keywords === "string" && keywords.trim() !== "") {
    const recovered = warnings.some(({ code }) => code === "front-matter-recovered");
    return reasonOfText(keywords, recovered);
  }
  if (typeof keywords === "number" || typeof keywords === "boolean") {
    return `${NO_LIST}. Write \`keywords: [${String(keywords)}]\`.`;
  }
  if (isRecord(keywords)) {
    return `${NO_LIST}, not a map. Write ${EXAMPLE}.`;
  }
  const state = "keywords" in fields ? "empty" : "missing";
  const hint = "name" in fields ? " To serve a folder of SKILL.md skills, use --skill-dir." : "";
  return `\`keywords\` is ${state} in the front matter, so no search can find the skill. Add a line such as ${EXAMPLE}.${hint}`;
}

const NO_LIST = "In a library, `keywords` must be a list";

/** `recovered`: YAML could not read the block, so the text is exactly what is written there. */
function reasonOfText(text: string, recovered: boolean): string {
  if (recovered && ALIAS.test(text)) {
    return `\`keywords\` contains an alias (\`*name\`), and aliases are not supported. Write out the words, such as ${EXAMPLE}.`;
  }
  // Anything else would not be a list of these words between brackets.
  if (PLAIN_WORDS.test(text)) return `${NO_LIST}. Write \`keywords: [${text}]\`.`;
  return `${NO_LIST} that YAML can parse. Separate the words with commas, and put those with special characters in double quotes, such as \`keywords: [react, "c#"]\`.`;
}

const ALIAS = /(?:^|[[,])\s*\*/;
const PLAIN_WORDS = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M} _.,/+-]*$/u;
