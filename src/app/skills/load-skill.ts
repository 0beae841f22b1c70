import path from "node:path";
import type { Entry } from "../../catalog/catalog.ts";
import { resolveName } from "../../catalog/resolve-name.ts";
import { readWhole } from "../../registry/read/read-skill-file.ts";
import { realFileOf } from "../../registry/read/skill-texts.ts";
import type { Snapshot } from "../../registry/registry.ts";
import { Refusal } from "../../skill/refusal.ts";
import type { Skill } from "../../skill/skill.ts";

export interface LoadedSkill {
  readonly entry: Entry;
  /** The file, byte for byte. */
  readonly text: string;
}

/** Finds a skill by name and reads its file as it is now. */
export async function loadSkill(snapshot: Snapshot, name: string): Promise<LoadedSkill> {
  const entry = findSkill(snapshot, name);
  const file = realFileOf(entry.skill);
  const loaded = await readWhole(file);
  if (loaded.ok) return { entry, text: loaded.text };
  throw new Refusal(
    `Skill '${entry.listedAs}' was found, but ${path.join(entry.skill.dir, entry.skill.fileName)} can no longer be served. ${loaded.failure.message}`,
    { code: "unreadable-skill", name: entry.listedAs, file },
  );
}

/** Reads and parses the file of a skill that is already known. */
export function readSkillText(skill: Skill): ReturnType<typeof readWhole> {
  return readWhole(realFileOf(skill));
}

/** The skill that a name stands for. */
export function findSkill({ catalog, library }: Snapshot, name: string): Entry {
  try {
    return resolveName(catalog, name);
  } catch (error) {
    if (!(error instanceof Refusal) || !library.skills.has(name)) throw error;
    throw new Refusal(
      `'${name}' is a library skill: call get_skill with skill_path '${name}' to load it.`,
      { code: "invalid-name", name },
      { cause: error },
    );
  }
}
