import { lstat, mkdir, rename } from "node:fs/promises";
import path from "node:path";
import { describeError, writeFileAtomic } from "#util";
import { nameKey, Refusal } from "#util/pure";
import {
  type Catalog,
  type Entry,
  entriesNamed,
  exactnessOf,
  fullName,
  identityOf,
  lookUp,
  qualifiedNames,
  resolveName,
} from "../catalog/catalog.ts";
import type { Snapshot } from "../registry/registry.ts";
import { foundIn, type Skill } from "../skill/skill.ts";
import {
  type DisabledFor,
  type DisabledSets,
  disabledFile,
  disabledFor,
  readDisabledSets,
} from "../visibility/disabled-for-client.ts";
import { EVERY_AGENT, type ListedSets } from "../visibility/list-rules.ts";

interface ToggleDeps {
  readonly snapshot: () => Promise<Snapshot>;
  readonly refresh: () => Promise<Snapshot>;
  /** `~/.skills-mcp`. */
  readonly ownFolder: string;
  /** Whether whoever asks may be told of profiles. */
  readonly showsProfiles: boolean;
}

export type Toggles = ReturnType<typeof createToggles>;

/** The ways to enable and disable skills: for everyone, by renaming their files, and for one agent or profile. */
export function createToggles({ snapshot, refresh, ownFolder, showsProfiles }: ToggleDeps) {
  const file = disabledFile(ownFolder);
  return {
    async toggle(name: string, to: ToggleState, origin?: NameOrigin): Promise<ToggleResult> {
      const [result] = await toggleAndRefresh({ snapshot, refresh }, [name], to, origin);
      return result as ToggleResult;
    },
    /** Toggles all of them or, when one name is unknown, none. */
    toggleAll: (names: readonly string[], to: ToggleState, origin?: NameOrigin) =>
      toggleAndRefresh({ snapshot, refresh }, names, to, origin),
    /** Toggles all of them or none for one agent or profile, without touching their files. */
    async toggleFor(names: readonly string[], whom: DisabledFor, to: ToggleState) {
      const { catalog } = await snapshot();
      const entries = names.map((name) => resolveName(catalog, name));
      const skills = entries.map(({ skill }) => skill);
      const changed = await changeDisabledSet(file, whom, skills, to);
      return entries.map(({ listedAs }, index) => ({ name: listedAs, changed: changed[index] === true }));
    },
    /** Writes how skills are listed for one agent or every one, and says what was written before; `undefined` removes it. */
    async setListed(names: readonly string[], agent: string | undefined, rule: WrittenRule | undefined) {
      const { catalog } = await snapshot();
      const entries = names.map((name) => resolveName(catalog, name));
      const before = await changeListedSet(
        file,
        agent ?? EVERY_AGENT,
        entries.map(({ skill }) => skill),
        rule,
      );
      return entries.map(({ listedAs }, index) => ({ name: listedAs, before: before[index] }));
    },
    /** The full names of the skills that are disabled for each agent and each profile. */
    disabledSets: () => readDisabledSets(file).sets,
    /** Tells for whom a skill is disabled, though its file is enabled. */
    disabledFor(): (skill: Skill) => readonly DisabledFor[] {
      const { sets } = readDisabledSets(file);
      return (skill) => disabledFor(sets, skill).filter(({ kind }) => showsProfiles || kind === "agent");
    },
  };
}

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

type ToggleState = "enabled" | "disabled";

/**
 * `typed` by a person, who may not know what is enabled, or taken from a `listed` row; or not a name but the `file` of a row,
 * which is the same whatever else is called so.
 */
type NameOrigin = "typed" | "listed" | "file";

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
async function toggleAndRefresh(
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

/** Adds skills to a set, or removes them from it, and says which of them were not so before. */
export async function changeDisabledSet(
  file: string,
  { kind, name }: DisabledFor,
  skills: readonly Skill[],
  to: "enabled" | "disabled",
): Promise<readonly boolean[]> {
  const { sets, problem } = readDisabledSets(file);
  if (problem !== undefined) throw new Refusal(problem, { code: "cannot-toggle", file });
  const key = kind === "agent" ? "agents" : "profiles";
  const before = Object.hasOwn(sets[key], name) ? (sets[key][name] ?? []) : [];
  const had = new Set(before.map(nameKey));
  const changed = skills.map((skill) => had.has(nameKey(fullName(skill))) === (to === "enabled"));
  const named = new Map([...before, ...skills.map(fullName)].map((one) => [nameKey(one), one]));
  if (to === "enabled") for (const skill of skills) named.delete(nameKey(fullName(skill)));
  // An empty profile stays: a server may name it.
  const others = Object.entries(sets[key]).filter(([other]) => other !== name);
  const own = named.size > 0 || kind === "profile" ? [[name, [...named.values()].sort()] as const] : [];
  const after = { ...sets, [key]: Object.fromEntries([...others, ...own]) };
  if (changed.includes(true) || !Object.hasOwn(sets[key], name)) await write(file, after);
  return changed;
}

type WrittenRule = ListedSets[string][string];

/** Writes one rule for skills, or removes theirs, and says what each of them had before. */
async function changeListedSet(
  file: string,
  agent: string,
  skills: readonly Skill[],
  rule: WrittenRule | undefined,
): Promise<readonly (WrittenRule | undefined)[]> {
  const { sets, problem } = readDisabledSets(file);
  if (problem !== undefined) throw new Refusal(problem, { code: "cannot-toggle", file });
  const { [agent]: own = {}, ...others } = sets.listed;
  const written = new Map(Object.entries(own).map(([name, one]) => [nameKey(name), [name, one] as const]));
  const before = skills.map((skill) => written.get(nameKey(fullName(skill)))?.[1]);
  for (const skill of skills) {
    const name = fullName(skill);
    if (rule === undefined) written.delete(nameKey(name));
    else written.set(nameKey(name), [name, rule]);
  }
  const listed = written.size === 0 ? others : { ...others, [agent]: Object.fromEntries(written.values()) };
  if (before.some((one) => one !== rule)) await write(file, { ...sets, listed });
  return before;
}

async function write(file: string, { agents, profiles, listed }: DisabledSets): Promise<void> {
  const more = Object.keys(listed).length === 0 ? {} : { listed };
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFileAtomic(file, `${JSON.stringify({ version: 1, agents, profiles, ...more }, null, 2)}\n`, {
      flush: true,
    });
  } catch (error) {
    throw new Refusal(
      `${file} was not written: ${describeError(error)}.`,
      { code: "cannot-toggle", file },
      { cause: error },
    );
  }
}
