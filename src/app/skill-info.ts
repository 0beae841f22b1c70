import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Entry } from "../catalog/catalog.ts";
import { resolveName } from "../catalog/resolve-name.ts";
import type { Snapshot } from "../registry/registry.ts";
import type { Diagnostic } from "../skill/diagnostic.ts";
import { Refusal } from "../skill/refusal.ts";

/** A file that comes with a skill. */
interface Resource {
  /** Below the skill's folder, with `/`. */
  readonly path: string;
  readonly bytes: number;
}

export interface SkillInfo {
  readonly kind: "skill";
  readonly entry: Entry;
  readonly enabled: boolean;
  readonly resources: readonly Resource[];
  /** More files lie in the folder than are listed. */
  readonly resourcesCut: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** More than this is a data set, not something to print. */
const MOST_RESOURCES = 500;

/** Everything a person may want to know of one skill, served or disabled. */
export async function skillInfo(snapshot: Snapshot, name: string): Promise<SkillInfo> {
  return infoOfEntry(snapshot, findAnywhere(snapshot, name));
}

export async function infoOfEntry(
  snapshot: Snapshot,
  { entry, enabled }: { readonly entry: Entry; readonly enabled: boolean },
): Promise<SkillInfo> {
  const { dir, realDir } = entry.skill;
  const folders = new Set([dir, ...entry.shadowed.map((skill) => skill.dir)]);
  const { resources, cut } = await listResources(realDir, entry.skill.fileName);
  return {
    kind: "skill",
    entry,
    enabled,
    resources,
    resourcesCut: cut,
    diagnostics: snapshot.diagnostics.filter((diagnostic) => folders.has(path.dirname(diagnostic.file))),
  };
}

function findAnywhere(snapshot: Snapshot, name: string): { entry: Entry; enabled: boolean } {
  try {
    return { entry: resolveName(snapshot.catalog, name), enabled: true };
  } catch (error) {
    if (!(error instanceof Refusal) || error.detail.code !== "unknown-skill") throw error;
    try {
      return { entry: resolveName(snapshot.disabled, name), enabled: false };
    } catch {
      // Neither knows it: the suggestions of the served skills are the useful ones.
      throw error;
    }
  }
}

async function listResources(realDir: string, skillFile: string) {
  const resources: Resource[] = [];
  let cut = false;
  const visit = async (relative: string): Promise<void> => {
    const entries = await readdir(path.join(realDir, relative), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const below = relative === "" ? entry.name : `${relative}/${entry.name}`;
      if (entry.isDirectory() && entry.name !== ".git" && entry.name !== "node_modules") await visit(below);
      if (!entry.isFile() || below === skillFile) continue;
      cut ||= resources.length >= MOST_RESOURCES;
      if (cut) return;
      const size = await stat(path.join(realDir, below)).then(
        (stats) => stats.size,
        () => 0,
      );
      resources.push({ path: below, bytes: size });
    }
  };
  await visit("");
  return { resources, cut };
}
