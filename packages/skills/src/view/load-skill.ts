import path from "node:path";
import { isInside } from "#util";
import { memoizeWeak, Refusal } from "#util/pure";
import type { Entry } from "../catalog/catalog.ts";
import { resolveName } from "../catalog/resolve-name.ts";
import { createRecentReads } from "../read/recent-reads.ts";
import { readSkill, realFileOf } from "../read/skill-texts.ts";
import type { Snapshot } from "../registry/registry.ts";
import { pluginId, type Skill } from "../skill/skill.ts";
import { refusalIfDisabled, refusalIfNotApproved } from "../visibility/why-not-served.ts";

export interface LoadedSkill {
  readonly entry: Entry;
  /** The file, byte for byte. */
  readonly text: string;
  /** Its front matter as data, and where the text after it begins. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly bodyStart: number;
  /** Where its plugin is installed. */
  readonly pluginRoot?: string;
}

/** Finds a skill by name and reads its file as it is now. Returns one and the same object while the file does not change. */
export async function loadSkill(snapshot: Snapshot, name: string): Promise<LoadedSkill> {
  return loaderOf(snapshot)(findSkill(snapshot, name));
}

const loaderOf = memoizeWeak((snapshot: Snapshot) =>
  createRecentReads({
    fileOf: ({ skill }: Entry) => realFileOf(skill),
    read: (entry) => loadEntry(snapshot, entry),
  }),
);

async function loadEntry(snapshot: Snapshot, entry: Entry) {
  const loaded = await readSkill(entry.skill);
  if (loaded.ok) {
    const { text, stats, skill } = loaded;
    const { fields, bodyStart } = skill;
    const value: LoadedSkill = { entry, text, fields, bodyStart, ...pluginRootOf(snapshot, entry.skill) };
    return { value, stats };
  }
  throw new Refusal(
    `Skill '${entry.listedAs}' was found, but ${path.join(entry.skill.dir, entry.skill.fileName)} cannot be served. ${loaded.failure.message}`,
    { code: "unreadable-skill", name: entry.listedAs, file: realFileOf(entry.skill) },
  );
}

function pluginRootOf({ roots }: Snapshot, { plugin, dir }: Skill): { readonly pluginRoot?: string } {
  if (plugin === undefined) return {};
  const root = roots.find(
    (each) =>
      each.plugin !== undefined && pluginId(each.plugin) === pluginId(plugin) && isInside(each.dir, dir),
  );
  return root === undefined ? {} : { pluginRoot: root.dir };
}

/** Reads and parses the file of a skill that is already known. */
export function readSkillText(skill: Skill): ReturnType<typeof readSkill> {
  return readSkill(skill);
}

/** The skill that a name stands for. */
export function findSkill(snapshot: Snapshot, name: string): Entry {
  const { catalog, library } = snapshot;
  try {
    return resolveName(catalog, name, "models");
  } catch (error) {
    const refusal = refusalIfDisabled(snapshot, name) ?? refusalIfNotApproved(snapshot, name);
    if (refusal !== undefined) throw refusal;
    if (!(error instanceof Refusal) || !library.skills.has(name)) throw error;
    throw new Refusal(
      `'${name}' is a library skill: call get_skill with skill_path '${name}' to load it.`,
      { code: "invalid-name", name },
      { cause: error },
    );
  }
}
