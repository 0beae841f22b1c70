import { readKeyLine } from "./key-lines.ts";
import { lineAt } from "./lines.ts";

/** Where front matter without a closing line ends, and where the text after it begins. */
export interface UnclosedEnd {
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
