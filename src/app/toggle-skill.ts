import { lstat, rename } from "node:fs/promises";
import path from "node:path";
import type { Catalog, Entry } from "../catalog/catalog.ts";
import { resolveName } from "../catalog/resolve-name.ts";
import { describeError } from "../registry/file-system.ts";
import type { Snapshot } from "../registry/registry.ts";
import { Refusal } from "../skill/refusal.ts";

export interface ToggleResult {
  readonly name: string;
  /** The file as it is called now. */
  readonly file: string;
  /** False when it already was what was asked for. */
  readonly changed: boolean;
}

/** Turns a skill off or on by renaming `SKILL.md` to `.SKILL.md` or back. */
export async function toggleSkill(
  snapshot: Snapshot,
  name: string,
  to: "enabled" | "disabled",
): Promise<ToggleResult> {
  const [from, already] =
    to === "enabled" ? [snapshot.disabled, snapshot.catalog] : [snapshot.catalog, snapshot.disabled];
  if (!knows(from, name) && knows(already, name)) {
    const { skill, listedAs } = resolveName(already, name);
    return { name: listedAs, file: path.join(skill.dir, skill.fileName), changed: false };
  }
  const { skill, listedAs } = resolve(from, name, snapshot);
  const old = path.join(skill.dir, skill.fileName);
  const file = path.join(skill.dir, to === "enabled" ? "SKILL.md" : ".SKILL.md");
  await renameUnlessTaken(old, file);
  return { name: listedAs, file, changed: true };
}

function resolve(catalog: Catalog, name: string, { library }: Snapshot): Entry {
  try {
    return resolveName(catalog, name);
  } catch (error) {
    if (!(error instanceof Refusal) || !library.skills.has(name)) throw error;
    throw new Refusal(
      `'${name}' is a library skill, which has no file to rename. Leave it out with --exclude library:${name}.`,
      { code: "cannot-toggle", file: library.skills.get(name)?.file ?? name },
      { cause: error },
    );
  }
}

/** Whether a name means anything there; an ambiguous name does. */
function knows(catalog: Catalog, name: string): boolean {
  try {
    resolveName(catalog, name);
    return true;
  } catch (error) {
    return error instanceof Refusal && error.detail.code === "ambiguous-skill";
  }
}

async function renameUnlessTaken(old: string, file: string): Promise<void> {
  const taken = await lstat(file).then(
    () => true,
    () => false,
  );
  const refuse = (reason: string, cause?: unknown) =>
    new Refusal(
      `${old} was not renamed to ${path.basename(file)}: ${reason}.`,
      { code: "cannot-toggle", file: old },
      { cause },
    );
  if (taken) throw refuse("a file of that name is already there; keep one of the two");
  try {
    await rename(old, file);
  } catch (error) {
    throw refuse(describeError(error), error);
  }
}
