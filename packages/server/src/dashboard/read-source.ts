import type { LibrarySkill, Skill } from "#skills";
import { readLibraryText, realFileOf } from "#skills";
import { withOpenFile } from "#util";
import { escapeInvisibleCharacters } from "#util/pure";

export interface Source {
  readonly text: string;
  /** The file is longer than what is shown. */
  readonly cut: boolean;
}

const MOST_BYTES = 256 * 1024;

/**
 * The beginning of a file that the last scan found, for people who repair it: bytes that are not UTF-8 become
 * replacement characters, and hidden characters escapes. Undefined when it is not a regular file, or cannot be read.
 */
export async function readSource(file: string): Promise<Source | undefined> {
  try {
    return await withOpenFile(file, async ({ stats, readStart }) => {
      if (!stats.isFile()) return undefined;
      const bytes = await readStart(Math.min(stats.size, MOST_BYTES));
      const text = escapeInvisibleCharacters(new TextDecoder().decode(bytes));
      return { text, cut: stats.size > MOST_BYTES };
    });
  } catch {
    return undefined;
  }
}

export function readSkillSource(skill: Skill): Promise<Source | undefined> {
  return readSource(realFileOf(skill));
}

/** The text of a library skill after its front matter, for people; undefined when it cannot be read. */
export async function readLibraryBody(skill: LibrarySkill): Promise<string | undefined> {
  const text = await readLibraryText(skill);
  return text.ok ? escapeInvisibleCharacters(text.body) : undefined;
}
