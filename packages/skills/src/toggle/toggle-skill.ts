import { lstat, rename } from "node:fs/promises";
import path from "node:path";
import { describeError } from "#util";
import { Refusal } from "#util/pure";
import { type Catalog, type Entry, identityOf, qualifiedNames } from "../catalog/catalog.ts";
import { entriesNamed, exactnessOf, lookUp, resolveName } from "../catalog/resolve-name.ts";
import type { Snapshot } from "../registry/registry.ts";
import { foundIn, type Skill } from "../skill/skill.ts";

export interface ToggleResult {
  readonly name: string;
  /** The file as it is called now. */
  readonly file: string;
  /** False when it was already in this state. */
  readonly changed: boolean;
  /** Other skills of this name that were not toggled; absent when there are none. */
  readonly others?: readonly OtherSkill[];
}

interface OtherSkill {
  /** Its full name. */
  readonly name: string;
  readonly path: string;
}

export type ToggleState = "enabled" | "disabled";

/**
 * `typed` by a person, who may not know what is enabled, or taken from a `listed` row; or not a name but the `file` of a row,
 * which is the same whatever else is called so.
 */
export type NameOrigin = "typed" | "listed" | "file";

/** A rename that is to be made; or, where the file has its name already, none. */
interface PlannedToggle {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** What is to be renamed, `SKILL.md` to `.SKILL.md` or back. */
function planToggle(
  snapshot: Snapshot,
  typed: string,
  to: ToggleState,
  origin: NameOrigin = "typed",
): PlannedToggle {
  const [from, already] = catalogsFor(snapshot, to);
  const name = origin === "file" ? nameOfFile(from, typed) : typed.trim();
  const isListed = origin !== "typed" && from.entries.some(({ listedAs }) => listedAs === name);
  if (!isListed && isMeantFirst(already, from, name)) {
    const { skill, listedAs } = resolveName(already, name);
    const file = path.join(skill.dir, skill.fileName);
    return { name: listedAs, from: file, to: file };
  }
  const { skill, listedAs } = resolve(from, name, snapshot);
  if (skill.repo !== undefined) throw inRepository(listedAs, skill);
  // An approved copy stays as it is: whether its skill is enabled depends on the folder that the skill was found in.
  const folder = foundIn(skill);
  const file = path.join(folder, to === "enabled" ? "SKILL.md" : ".SKILL.md");
  return { name: listedAs, from: path.join(folder, skill.fileName), to: file };
}

function nameOfFile({ entries }: Catalog, file: string): string {
  const found = entries.find(({ skill }) => path.join(skill.dir, skill.fileName) === file);
  if (found !== undefined) return found.listedAs;
  throw new Refusal(`There is no longer a skill at '${file}' to change.`, {
    code: "unknown-skill",
    name: file,
    suggestions: [],
  });
}

/** The next commit would undo it. */
function inRepository(name: string, { dir, fileName, repo }: Skill): Refusal {
  return new Refusal(
    `'${name}' comes from ${repo?.url ?? "a repository"}, so its file cannot be renamed here. Exclude it with --exclude '${name}', or disable it for one agent with --agent <name>.`,
    { code: "cannot-toggle", file: path.join(dir, fileName) },
  );
}

/**
 * Disables or enables skills, refreshes, and reports other skills of the same names that were not toggled. Nothing is renamed
 * when one of the names means no skill.
 */
export async function toggleAndRefresh(
  { snapshot, refresh }: Record<"snapshot" | "refresh", () => Promise<Snapshot>>,
  names: readonly string[],
  to: ToggleState,
  origin?: NameOrigin,
): Promise<readonly ToggleResult[]> {
  const current = await snapshot();
  const plans = names.map((name) => ({ typed: name, plan: planToggle(current, name, to, origin) }));
  const renamed = new Set<string>();
  for (const { plan } of plans) {
    // Two names may mean one skill.
    if (plan.from === plan.to || renamed.has(plan.from)) continue;
    await renameUnlessTaken(plan.from, plan.to);
    renamed.add(plan.from);
  }
  const after = await refresh();
  return plans.map(({ typed, plan }) => {
    const result = { name: plan.name, file: plan.to, changed: plan.from !== plan.to };
    const others = notToggled(after, typed, to);
    return others.length === 0 ? result : { ...result, others };
  });
}

/** The skills that still have the name after one was toggled. */
function notToggled(snapshot: Snapshot, typed: string, to: ToggleState): readonly OtherSkill[] {
  const [from] = catalogsFor(snapshot, to);
  return entriesNamed(from.names, typed.trim()).map(({ skill, listedAs }) => ({
    name: qualifiedNames(skill)[0] ?? listedAs,
    path: skill.dir,
  }));
}

function catalogsFor(
  { catalog, disabled }: Snapshot,
  to: ToggleState,
): readonly [from: Catalog, already: Catalog] {
  return to === "enabled" ? [disabled, catalog] : [catalog, disabled];
}

/**
 * Whether a name means a skill of `one` rather than one of `other`. Disabling `pdf` twice must not reach a plugin's
 * `pdf` once the plain one is disabled. Two of one identity share every name, so there the name reaches the other.
 */
function isMeantFirst(one: Catalog, other: Catalog, name: string): boolean {
  const exactness = exactnessOf(one.names, name);
  if (exactness === undefined) return false;
  const [mine, others] = [lookUp(one.names, name), lookUp(other.names, name)];
  if (mine.kind === "found" && others.kind === "found") {
    if (identityOf(mine.entry.skill) === identityOf(others.entry.skill)) return false;
  }
  return exactness <= (exactnessOf(other.names, name) ?? Number.POSITIVE_INFINITY);
}

function resolve(catalog: Catalog, name: string, { library }: Snapshot): Entry {
  try {
    return resolveName(catalog, name);
  } catch (error) {
    if (!(error instanceof Refusal) || !library.skills.has(name)) throw error;
    throw new Refusal(
      `'${name}' is a library skill, which has no file to rename. Exclude it with --exclude library:${name}.`,
      { code: "cannot-toggle", file: library.skills.get(name)?.file ?? name },
      { cause: error },
    );
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
  if (taken) throw refuse("a file of that name already exists; keep one of the two");
  try {
    await rename(old, file);
  } catch (error) {
    throw refuse(describeError(error), error);
  }
}
