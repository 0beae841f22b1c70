import { lineOfKey } from "./front-matter/key-line.ts";
import type { Reading } from "./front-matter/read-block.ts";
import type { Problem } from "./problem.ts";

/** Why a library skill has no keywords, and what to write. `firstLine` is the line on which its front matter begins. */
export function missingKeywords(reading: Reading, firstLine: number): Problem {
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
    return `The \`keywords\` open a list or a map and never close it; write them between two brackets, such as ${EXAMPLE}.`;
  }
  if (typeof keywords === "string" && keywords.trim() !== "") {
    const recovered = warnings.some(({ code }) => code === "front-matter-recovered");
    return reasonOfText(keywords, recovered);
  }
  if (typeof keywords === "number" || typeof keywords === "boolean") {
    return `${NO_LIST}; write \`keywords: [${String(keywords)}]\`.`;
  }
  if (typeof keywords === "object" && keywords !== null && !Array.isArray(keywords)) {
    return `${NO_LIST}, and they are a map; write them as ${EXAMPLE}.`;
  }
  const state = "keywords" in fields ? "The `keywords` hold no word" : "There are no `keywords`";
  const hint = "name" in fields ? " A folder of SKILL.md skills is served with --skill-dir instead." : "";
  return `${state} in the front matter, so no task can lead here; add a line such as ${EXAMPLE}.${hint}`;
}

const NO_LIST = "The `keywords` must be a list in a library";

/** `recovered`: YAML could not read the block, so the text is what stands there, signs and all. */
function reasonOfText(text: string, recovered: boolean): string {
  if (recovered && ALIAS.test(text)) {
    return `The \`keywords\` hold an alias (\`*name\`), and aliases are not followed; write the words out, such as ${EXAMPLE}.`;
  }
  // Anything else would not be a list of these words between brackets.
  if (PLAIN_WORDS.test(text)) return `${NO_LIST}; write \`keywords: [${text}]\`.`;
  return `${NO_LIST}, and this is none that YAML can read; put commas between the words, and double quotes around those with other signs, such as \`keywords: [react, "c#"]\`.`;
}

const ALIAS = /(?:^|[[,])\s*\*/;
const PLAIN_WORDS = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M} _.,/+-]*$/u;
