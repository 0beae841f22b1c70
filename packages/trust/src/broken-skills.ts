import { realpathSync } from "node:fs";
import path from "node:path";
import type { ReviewCandidate, Root, ScanResult } from "#skills";
import { foundIn, placeIn, SKILL_FOLDERS, type Skill } from "#skills";
import { isInside } from "#util";
import type { Approvals } from "./approved/approvals.ts";
import { keyOf } from "./rules/skill-source.ts";

type Broken = ReviewCandidate & { readonly kind: "skill" };

/** Approved skills whose file is no longer a valid skill: a change to review like any other. */
export function brokenSkills(
  { roots, enabled, disabled, diagnostics }: ScanResult,
  approvals: Approvals,
): readonly Broken[] {
  if (approvals.size === 0) return [];
  const readable = new Set([...enabled, ...disabled].map(({ realDir }) => realDir));
  return diagnostics.flatMap(({ severity, file, line, message }) => {
    const fileName = path.basename(file);
    if (severity !== "error" || fileName.startsWith(".") || !SKILL_FOLDERS.isSkillFile(fileName)) return [];
    const dir = path.dirname(file);
    const root = rootOf(roots, dir);
    const realDir = realDirOf(dir);
    if (root === undefined || realDir === undefined || readable.has(realDir)) return [];
    const { provider, location, plugin, repo } = root;
    const place = repo === undefined ? {} : { repo: placeIn(repo, dir) };
    const owner = plugin === undefined ? {} : { plugin };
    const skill = { description: "", provider, location, dir, realDir, fileName, ...place, ...owner };
    const approved = approvals.get(keyOf({ kind: "skill", skill: { ...skill, name: "" } }));
    if (approved === undefined || approved.versions.length === 0) return [];
    readable.add(realDir);
    const where = line === undefined ? fileName : `${fileName}:${line}`;
    return [{ kind: "skill", skill: { ...skill, name: approved.name }, broken: `${where}: ${message}` }];
  });
}

/** Adds a skill where its root has its turn: the order decides which of two skills of one name is meant. */
export function insertInOrder(enabled: Skill[], skill: Skill, roots: readonly Root[]): void {
  const own = rootOf(roots, foundIn(skill));
  const before = own === undefined ? roots : roots.slice(0, roots.indexOf(own) + 1);
  const last = enabled.findLastIndex((one) => before.some(({ dir }) => isInside(dir, foundIn(one))));
  enabled.splice(last + 1, 0, skill);
}

/** The innermost root that a folder is in. */
function rootOf(roots: readonly Root[], folder: string): Root | undefined {
  return roots
    .filter(({ dir }) => isInside(dir, folder))
    .reduce<Root | undefined>(
      (best, root) => (best === undefined || root.dir.length > best.dir.length ? root : best),
      undefined,
    );
}

function realDirOf(dir: string): string | undefined {
  try {
    return realpathSync.native(dir);
  } catch {
    return undefined;
  }
}
