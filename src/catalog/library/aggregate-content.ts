import type { LibrarySkill } from "./library.ts";

export interface ChainContent {
  readonly skill: LibrarySkill;
  /** What follows its front matter. */
  readonly content: string;
}

/** The text of a skill below the texts that it inherits, each under a header; the bare text when it does not inherit. */
export function aggregateContent(chain: readonly ChainContent[]): string {
  const asked = chain.at(-1);
  if (asked === undefined) return "";
  if (!asked.skill.inherit) return trimLines(asked.content);
  return chain
    .flatMap(({ skill, content }) => [headerOf(skill), trimLines(content)])
    .filter((part) => part !== "")
    .join("\n\n");
}

function headerOf({ path, filePath }: LibrarySkill): string {
  const title = path === "_root" ? "GLOBAL RULES" : titleOf(path);
  return `=== ${title === "" ? "" : `${title} `}(from ${filePath}) ===`;
}

function titleOf(path: string): string {
  return path
    .toUpperCase()
    .split("/")
    .filter((segment) => segment !== "_INDEX")
    .join(" > ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Without blank lines around it. The spaces before the first word stay: four of them begin a block of code. */
function trimLines(content: string): string {
  return content.replace(/^\s*\n/, "").trimEnd();
}
