import type { Library, LibrarySkill } from "#skills";

/**
 * The skills that a skill inherits from, the most general first, and the skill itself last; alone when it does not
 * inherit. Only the `inherit` of the skill itself counts, not that of the skills above it.
 */
export function chainOf(library: Library, skill: LibrarySkill): readonly LibrarySkill[] {
  const chain = new Set([skill]);
  let above = skill.inherit ? parentOf(library, skill) : undefined;
  while (above !== undefined && !chain.has(above)) {
    chain.add(above);
    above = parentOf(library, above);
  }
  return [...chain].reverse();
}

function parentOf({ skills }: Library, { parent }: LibrarySkill): LibrarySkill | undefined {
  return parent === undefined ? undefined : skills.get(parent);
}

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
