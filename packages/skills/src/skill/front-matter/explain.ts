import type { Problem } from "../diagnostic.ts";
import { indentOf, lineAt, type RawField, readKeyLine } from "./key-lines.ts";
import type { YamlComplaint } from "./read-yaml.ts";

/** What an author should change, as a sentence, and the 0-based line of the block it is about. */
export interface Explanation {
  readonly sentence: string;
  readonly line: number;
}

/**
 * Explains why a block is not valid YAML and what to do. `broken` is the first field that is not valid YAML by
 * itself; without one the error is between fields, and only the parser's reason is known.
 */
export function explainRecovery(
  whole: YamlComplaint,
  broken: RawField | undefined,
  alone: YamlComplaint | undefined,
): Explanation {
  if (broken !== undefined) return explainField(broken, alone ?? whole);
  const line = whole.line ?? 0;
  if (whole.reason === "duplicated mapping key") {
    return { line, sentence: "a field is defined twice; keep one of them." };
  }
  if (whole.reason.includes("maxAliases")) {
    return { line, sentence: "aliases (`*name`) are not supported; write out the value." };
  }
  return {
    line,
    sentence: `invalid YAML (${whole.reason}); write each field as \`key: value\` at the start of a line.`,
  };
}

function explainField(field: RawField, complaint: YamlComplaint): Explanation {
  const label = field.key === "name" || field.key === "description" ? `the ${field.key}` : `\`${field.key}\``;
  const at = (offset: number, sentence: string): Explanation => ({ line: field.line + offset, sentence });
  const lines = [field.first, ...field.rest];

  if (!field.proper) return at(0, `write \`${field.key}: \`, with a plain colon and a space after it.`);
  const control = lines.findIndex((line) => CONTROL.test(line));
  if (control !== -1) return at(control, `${label} contains a control character; remove it.`);
  const tab = field.rest.findIndex((line) => line.slice(0, indentOf(line)).includes("\t"));
  if (tab !== -1 && complaint.reason.includes("tab")) {
    return at(tab + 1, "a tab is used for indentation; use spaces.");
  }
  if (complaint.reason === "duplicated mapping key") {
    return at(complaint.line ?? 0, `${label} contains the same key twice; keep one of them.`);
  }
  return explainValue(field, label, complaint, at);
}

function explainValue(
  field: RawField,
  label: string,
  complaint: YamlComplaint,
  at: (offset: number, sentence: string) => Explanation,
): Explanation {
  const first = field.first.charAt(0);
  if (first === "|" || first === ">") {
    return TEXT_AFTER_HEADER.test(field.first)
      ? at(
          0,
          `${label} has text on the same line as \`${first}\`; start the text on the next line, indented by two spaces.`,
        )
      : at(complaint.line ?? 0, `the lines of ${label} must be indented by two spaces.`);
  }
  if ("[{".includes(first) && first !== "" && label.startsWith("`")) {
    return at(0, `${label} has a malformed list or map after \`${first}\` (${complaint.reason}); fix it.`);
  }
  if (first !== "" && RESERVED.includes(first)) {
    return at(
      0,
      `${label} starts with "${first}", a special character in YAML; put the value in double quotes.`,
    );
  }
  const margin = field.rest.findIndex(
    (line) => line.trim() !== "" && indentOf(line) === 0 && !line.startsWith("#"),
  );
  if (margin !== -1) {
    return at(
      margin + 1,
      `${label} continues without indentation; write \`${field.key}: |\` and indent its lines by two spaces.`,
    );
  }
  if (first === '"' || first === "'") {
    return at(
      0,
      `the quotes of ${label} do not match; put the value in double quotes and write \\" for those inside.`,
    );
  }
  // Below any other field, `key: value` is a map.
  const text = label.startsWith("`") ? [field.first] : [field.first, ...field.rest];
  const colon = text.findIndex((line) => /:(?:\s|$)/.test(line));
  if (colon !== -1)
    return at(colon, `${label} contains ": " without quotes; put the value in double quotes.`);
  return at(
    complaint.line ?? 0,
    `${label} is not valid YAML (${complaint.reason}); fix it, or put the value in double quotes.`,
  );
}

const CONTROL = /[\0-\x08\v\f\x0e-\x1f\x7f-\x84\x86-\x9f]/;
const RESERVED = "*&!%@`[]{},-?#";
const TEXT_AFTER_HEADER = /^[|>][+\-0-9]{0,2}\s*[^\s+\-0-9]/;

/** Problems of the block as a whole, each with the way out. */

export function noFrontMatter(): Problem {
  return {
    code: "no-front-matter",
    message:
      "No front matter. Start the file with a `---` line, then `name:` and `description:` lines and a closing `---` line.",
    line: 1,
  };
}

export function frontMatterLanguage(language: string): Problem {
  return {
    code: "front-matter-language",
    message: `Front matter is marked as "${language}", but only YAML is supported and front matter is never executed. Open it with a plain \`---\` line.`,
  };
}

export function frontMatterTooLong(limit: number): Problem {
  return {
    code: "front-matter-too-long",
    message: `Front matter exceeds the limit of ${limit.toLocaleString("en-US")} characters. Close it with a \`---\` line and move long text below that line.`,
  };
}

export function tooManyLines(limit: number): Problem {
  return {
    code: "front-matter-too-long",
    message: `Front matter exceeds the limit of ${limit.toLocaleString("en-US")} lines, which applies unless all are plain \`key: value\` lines. Move long text below the closing \`---\` line.`,
  };
}

export function unclosed(line: number): Problem {
  return {
    code: "front-matter-unclosed",
    message: `Front matter that opens on line ${line} is never closed. Add a \`---\` line, not indented, before the text of the skill.`,
    line,
  };
}

export function textBefore(line: number): Problem {
  return {
    code: "text-before-front-matter",
    message: `Text comes before the front matter on line ${line}. Make \`---\` the first line of the file.`,
    line,
  };
}

/** Where front matter without a closing line ends, and where the text after it begins. */
interface UnclosedEnd {
  readonly end: number;
  readonly bodyStart: number;
}

/**
 * Where a person would say that front matter ends although no `---` says so: at the first Markdown heading,
 * code fence or rule, once `name:` and `description:` have been seen. `undefined` when `text` does not read as
 * front matter from its first line on.
 */
export function findUnclosedEnd(text: string): UnclosedEnd | undefined {
  const seen = new Set<string>();
  let contentEnd = 0;
  let afterBlank = false;
  for (let start = 0; start < text.length; ) {
    const { end, next } = lineAt(text, start);
    const line = text.slice(start, end);
    const complete = seen.has("name") && seen.has("description");
    if (line.trim() === "") {
      afterBlank = true;
    } else if (endsFrontMatter(line)) {
      if (complete) return { end: contentEnd, bodyStart: RULE.test(line) ? next : start };
      // Before both are seen, `# text` can only be a comment, and one after a blank line is a title.
      if (!HEADING.test(line) || afterBlank) return undefined;
    } else {
      const key = readKeyLine(line);
      if (seen.size === 0 && (key === undefined || key.indent > 0)) return undefined;
      if (key?.indent === 0) seen.add(key.key);
      contentEnd = end;
      afterBlank = false;
    }
    start = next;
  }
  if (!seen.has("name") || !seen.has("description")) return undefined;
  return { end: contentEnd, bodyStart: text.length };
}

/**
 * Like `findUnclosedEnd`, for a block that has a closing line and is not valid YAML: the closing line may be a rule in the text
 * of the skill. It is one when text without a field follows the heading.
 */
export function findEndBeforeBody(block: string): UnclosedEnd | undefined {
  const found = findUnclosedEnd(block);
  if (found === undefined || found.bodyStart >= block.length) return undefined;
  let prose = false;
  for (let start = found.bodyStart; start < block.length; ) {
    const { end, next } = lineAt(block, start);
    const line = block.slice(start, end);
    if (readKeyLine(line)?.indent === 0) return undefined;
    prose ||= line.trim() !== "" && !line.startsWith("#");
    start = next;
  }
  return prose ? found : undefined;
}

function endsFrontMatter(line: string): boolean {
  return HEADING.test(line) || FENCE.test(line) || RULE.test(line);
}

const HEADING = /^#{1,6}[ \t]/;
const FENCE = /^(?:```|~~~)/;
// A closing line that is not quite one: indented, or with a dash too many.
const RULE = /^[ \t]{0,8}-{3,80}[ \t]{0,80}$/;
