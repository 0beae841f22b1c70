import path from "node:path";
import type { Entry } from "../catalog/catalog.ts";
import { resolveName } from "../catalog/resolve-name.ts";
import { readWhole } from "../registry/read-skill-file.ts";
import type { Snapshot } from "../registry/registry.ts";
import { Refusal } from "../skill/refusal.ts";
import type { Skill } from "../skill/skill.ts";

export interface LoadedSkill {
  readonly entry: Entry;
  /** The file, byte for byte. */
  readonly text: string;
}

/** Finds a skill by name and reads it as it is on the disk now. */
export async function loadSkill(snapshot: Snapshot, name: string): Promise<LoadedSkill> {
  const entry = resolveName(snapshot.catalog, name);
  const file = realFileOf(entry.skill);
  const loaded = await readWhole(file);
  if (loaded.ok) return { entry, text: loaded.text };
  throw new Refusal(
    `Skill '${entry.listedAs}' was found, but ${path.join(entry.skill.dir, entry.skill.fileName)} can no longer be served. ${loaded.failure.message}`,
    { code: "unreadable-skill", name: entry.listedAs, file },
  );
}

/** The path to open: recorded by the scan, never made of what a client sent. */
function realFileOf(skill: Skill): string {
  return skill.linkedFile ?? path.join(skill.realDir, skill.fileName);
}
