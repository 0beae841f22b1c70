import { stat } from "node:fs/promises";
import { defined, nameKey, Refusal } from "#util/pure";
import { addSkills } from "./add-skills.ts";
import { lastChanges } from "./apply/trash.ts";
import { type InstallResult, trashFolder } from "./install-session.ts";
import { readLocked } from "./lock/lock-file.ts";
import { cannotInstall } from "./lock/lock-text.ts";
import { type OutdatedSkill, outdatedSkills } from "./outdated-skills.ts";
import type { PlannedSkill } from "./plan/plan.ts";
import { type InstallPlaces, type Target, targetOf } from "./target.ts";
import { undoLast } from "./undo-change.ts";
import { updateSkills } from "./update-skills.ts";
import { type VerifiedSkill, verifySkills } from "./verify-skills.ts";

type InstallScope = Target["scope"];
const SCOPES = ["project", "user"] as const;

/** An installed skill as a page shows it. */
interface ListedInstall extends VerifiedSkill {
  readonly scope: InstallScope;
  /** The commit or version that is installed, if the lock has one. */
  readonly current?: string;
  /** When it was installed or updated, as ISO text. */
  readonly changedAt?: string;
}

export interface ListedInstalls {
  readonly skills: readonly ListedInstall[];
  readonly locks: readonly {
    readonly scope: InstallScope;
    readonly file: string;
    readonly problem?: string;
  }[];
  /** What `undo` would take back. */
  readonly undo?: { readonly names: readonly string[]; readonly command: string };
}

/** What is wanted of a source, and what was seen of it before. */
export interface WantedUpdate {
  readonly scope: InstallScope;
  readonly names: readonly string[];
  /** The commit that was shown for each name: only that one is installed. */
  readonly seen?: Readonly<Record<string, string>>;
  readonly dryRun: boolean;
}

export interface WantedSource {
  readonly source: string;
  readonly names: readonly string[];
  readonly scope: InstallScope;
  readonly dryRun: boolean;
}

/** A source with several skills of which none was named. */
export interface Choices {
  readonly choices: readonly { readonly name: string; readonly description: string }[];
}

/** Everything about installed skills, read from the disk; nothing here uses the network. */
export async function listInstalled(places: InstallPlaces): Promise<ListedInstalls> {
  const skills: ListedInstall[] = [];
  const locks: ListedInstalls["locks"][number][] = [];
  for (const scope of SCOPES) {
    const target = await targetOf(scope, places);
    const { file } = target.lock;
    try {
      const locked = await readLocked(target.lock);
      for (const found of await verifySkills(target, { remote: false }, places)) {
        const entry = locked.find(({ name }) => name === found.name);
        const current = entry?.own?.commit ?? entry?.own?.version;
        const changedAt = await changeTime(entry?.raw["updatedAt"], found.folder);
        skills.push({ ...found, scope, ...defined({ current, changedAt }) });
      }
      if (locked.length > 0) locks.push({ scope, file });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      locks.push({ scope, file, problem: error.message });
    }
  }
  const undo = await lastChange(places);
  return { skills, locks, ...defined({ undo }) };
}

/** Asks the sources of all installed skills for their newest versions. */
export async function checkForUpdates(
  places: InstallPlaces,
): Promise<readonly (OutdatedSkill & { readonly scope: InstallScope })[]> {
  const found = await Promise.all(
    SCOPES.map(async (scope) =>
      (await outdatedSkills(await targetOf(scope, places), places)).map((skill) => ({ ...skill, scope })),
    ),
  );
  return found.flat();
}

/** Updates skills, or says with a diff what that would change. */
export async function updateInstalled(wanted: WantedUpdate, places: InstallPlaces): Promise<InstallResult> {
  const { scope, names, dryRun, seen = {} } = wanted;
  const onPlan = (plan: readonly PlannedSkill[]): void => {
    const other = plan.find(({ name, commit }) => Object.hasOwn(seen, name) && commit !== seen[name]);
    if (!dryRun && other !== undefined)
      throw cannotInstall(
        `The source of '${other.name}' has changed since its diff was shown. Look at the changes again.`,
        other.name,
      );
  };
  const target = await targetOf(scope, places);
  return updateSkills(target, { names, withDiff: dryRun, prefer: "neither", dryRun, onPlan }, places);
}

/** Installs skills of a source, or says what that would install. */
export async function installFrom(
  { source, names, scope, dryRun }: WantedSource,
  places: InstallPlaces,
): Promise<InstallResult | Choices> {
  let choices: Choices["choices"] | undefined;
  const result = await addSkills(
    {
      ...{ source, names, scope, dryRun },
      ...{ all: false, agents: [], asCopies: false, replace: false },
      async choose(skills) {
        choices = skills.map(({ name, description }) => ({ name, description }));
        return [];
      },
    },
    places,
  );
  if (choices !== undefined) return { choices };
  const { leftOut, ...made } = result;
  // The page shows plans alone.
  const plan = made.plan.map((step): PlannedSkill => {
    const others = leftOut.filter(({ name }) => nameKey(name) === nameKey(step.name));
    if (others.length === 0) return step;
    const text = `left out, of the same name: ${others.map(({ path }) => path).join(", ")}`;
    return { ...step, reason: step.reason === undefined ? text : `${step.reason}; ${text}` };
  });
  return { ...made, plan };
}

/** Takes back the last change, if it is still the one of these skills. */
export function undoInstall(names: readonly string[], places: InstallPlaces): Promise<InstallResult> {
  const wanted = [...names].sort().join("\n");
  const onPlan = (plan: readonly PlannedSkill[]): void => {
    const found = plan.map(({ name }) => name);
    if ([...found].sort().join("\n") !== wanted)
      throw cannotInstall(
        `Another change was made since: it is of ${found.join(", ")}. Take it back with \`skills-mcp undo\`.`,
        found[0] ?? "",
      );
  };
  return undoLast({ dryRun: false, onPlan }, places);
}

async function lastChange(places: InstallPlaces): Promise<ListedInstalls["undo"]> {
  const targets = await Promise.all(SCOPES.map((scope) => targetOf(scope, places)));
  const files = new Set(targets.map(({ lock }) => lock.file));
  const records = await lastChanges(trashFolder(places.home), ({ lock }) => files.has(lock.file));
  const [first] = records;
  return first && { names: records.map(({ name }) => name), command: first.command };
}

/** The user's lock says when; for a project's, the folder does. */
async function changeTime(locked: unknown, folder: string): Promise<string | undefined> {
  if (typeof locked === "string" && !Number.isNaN(Date.parse(locked))) return locked;
  return stat(folder).then(
    ({ mtime }) => mtime.toISOString(),
    () => undefined,
  );
}
