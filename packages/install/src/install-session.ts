import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { activeFindings, auditContent, ignoredRules } from "#check";
import type { SkillContent } from "#skills";
import type { SourceAddress } from "#sources";
import { ownFolderIn } from "#util";
import { defined, nameKey } from "#util/pure";
import {
  type ApplyOptions,
  applyChanges,
  beginCommand,
  commandFolder,
  discardCommand,
  type FailedChange,
} from "./apply/apply-changes.ts";
import { emptyOldTrash, newCommand } from "./apply/trash.ts";
import { originalsOf } from "./content/originals.ts";
import { changeLock, readLocked } from "./lock/lock-file.ts";
import type { LockedSkill } from "./lock/lock-text.ts";
import { type FetchedSource, fetchSkills, readFetched, type SourceSkill } from "./plan/found-skills.ts";
import { placeOf } from "./plan/installed-skill.ts";
import { skillIn } from "./plan/locked-content.ts";
import { addressOf } from "./plan/origin.ts";
import { folderName, NO_FILES, type PlannedSkill, type PlannedStep } from "./plan/plan.ts";
import type { PlanOptions } from "./plan/plan-skill.ts";
import { type InstallPlaces, type Target, withTarget } from "./target.ts";

/** What a command did, or would do. */
export interface InstallResult {
  readonly scope: Target["scope"];
  readonly dryRun: boolean;
  readonly plan: readonly PlannedSkill[];
  /** Changes that could not be made; everything of them is as it was. */
  readonly failed: readonly FailedChange[];
  /** What the source contains, where that was asked for instead. */
  readonly available?: readonly Pick<SourceSkill, "name" | "description" | "path">[];
}

export interface SessionOptions {
  readonly dryRun: boolean;
  /** Nothing is changed when the plan contains a conflict. */
  readonly allOrNothing?: boolean;
  /** Called with the plan before anything is changed. */
  readonly onPlan?: (plan: readonly PlannedSkill[]) => void;
}

/** What a plan is made with. */
export interface InstallSession {
  readonly target: Target;
  readonly places: InstallPlaces;
  readonly locked: readonly LockedSkill[];
  /** Fetches a source once, however often it is asked for. It is removed at the end. */
  fetch(address: SourceAddress, commit?: string): Promise<FetchedSource>;
  readonly planning: Pick<PlanOptions, "target" | "loadBase" | "keepTheirs" | "now">;
}

export function trashFolder(home: string): string {
  return path.join(ownFolderIn(home), "trash");
}

/** Plans with the target held, shows the plan, and applies it. */
export function runSession(
  target: Target,
  places: InstallPlaces,
  { dryRun, allOrNothing = false, onPlan }: SessionOptions,
  makePlan: (session: InstallSession) => Promise<readonly PlannedStep[]>,
): Promise<InstallResult> {
  return withTarget(target, places.log, async () => {
    const trash = trashFolder(places.home);
    const command = await newCommand(trash, new Date());
    const locked = await readLocked(target.lock);
    const { base, lock, skillsDir, journalFolder } = target;
    const fetchFolder = commandFolder(skillsDir, command);
    const options = { journalFolder, command, base, lock, trash, fetchFolder };
    const sources = openSources(path.join(fetchFolder, "fetch"), places);
    await beginCommand(options);
    let isApplying = false;
    try {
      const planning = {
        target,
        now: new Date().toISOString(),
        loadBase: (skill: LockedSkill) => loadBase(skill, target, places, sources.fetch),
        ...(dryRun ? {} : { keepTheirs: saveTheirs(places.home, command) }),
      };
      const planned = await makePlan({ target, places, locked, fetch: sources.fetch, planning });
      const steps = refuseSharedFolders(planned, locked, target);
      const plan = await auditPlan(steps, places.home);
      onPlan?.(plan);
      const isRefused = allOrNothing && plan.some(({ action }) => action === "conflict");
      if (dryRun || isRefused) return { scope: target.scope, dryRun, plan, failed: [] };
      isApplying = steps.some(({ change }) => change !== undefined);
      return { scope: target.scope, dryRun, plan, failed: await apply(steps, places, options) };
    } finally {
      await sources.close();
      // What was begun is completed by the next command if it failed.
      if (!isApplying) await discardCommand(options);
    }
  });
}

/** Two names can give one folder, as `pdf tools` and `pdf-tools` do. Each change would undo that of the other. */
function refuseSharedFolders(
  steps: readonly PlannedStep[],
  locked: readonly LockedSkill[],
  target: Target,
): readonly PlannedStep[] {
  const owners = locked.map((skill) => ({ name: skill.name, folder: placeOf(skill, target) }));
  return steps.map((step) => {
    const { name, folder, action } = step.shown;
    // Of a skill that could not be fetched or read, no folder is known.
    if (action === "remove" || action === "keep" || folder === "") return step;
    const other = owners.find((one) => one.folder === folder && nameKey(one.name) !== nameKey(name));
    if (other === undefined) {
      owners.push({ name, folder });
      return step;
    }
    const reason = `${folder} is the folder of '${other.name}' as well. Remove one of them first: skills-mcp remove '${other.name}'`;
    return { shown: { ...step.shown, action: "conflict", files: NO_FILES, reason } };
  });
}

/** The plan with what the audit finds in whatever would be new. Comments in the skill suppress nothing: it is not trusted yet. */
async function auditPlan(steps: readonly PlannedStep[], home: string): Promise<readonly PlannedSkill[]> {
  const ignore = await ignoredRules(home);
  return steps.map(({ shown, after }) => {
    if (after === undefined) return shown;
    const all = auditContent(after, { name: shown.name }, { ignore });
    const findings = activeFindings(all, { trustComments: false }).filter(
      ({ severity }) => severity !== "info",
    );
    return findings.length === 0 ? shown : { ...shown, findings };
  });
}

async function apply(
  steps: readonly PlannedStep[],
  { home }: InstallPlaces,
  options: ApplyOptions,
): Promise<readonly FailedChange[]> {
  const originals = originalsOf(home);
  for (const { original } of steps) if (original !== undefined) originals.store(original);
  const changes = steps.flatMap(({ change }) => (change === undefined ? [] : [change]));
  const failed = changes.length === 0 ? [] : await applyChanges(changes, options);
  const entries = steps.flatMap(({ shown, entry }) =>
    entry === undefined ? [] : [[shown.name, entry] as const],
  );
  if (entries.length > 0) await changeLock(options.lock, new Map(entries));
  if (changes.length > 0) await emptyOldTrash(options.trash);
  return failed;
}

function openSources(stagingFolder: string, places: InstallPlaces) {
  const fetched = new Map<string, Promise<FetchedSource>>();
  return {
    async fetch(address: SourceAddress, commit?: string): Promise<FetchedSource> {
      const { skill: _, ...wanted } = { skill: undefined, ...address };
      const key = JSON.stringify([wanted, commit]);
      const known = fetched.get(key);
      if (known !== undefined) return known;
      await mkdir(stagingFolder, { recursive: true });
      const { cwd, home, environment, log, onProgress } = places;
      const made = fetchSkills(address, {
        ...{ stagingFolder, cwd, home, environment, log },
        ...defined({ onProgress, commit }),
      });
      fetched.set(key, made);
      return made;
    },
    async close(): Promise<void> {
      for (const result of await Promise.allSettled(fetched.values()))
        if (result.status === "fulfilled") await result.value.tree.dispose();
    },
  };
}

/** What was installed: from the store, or from the source at the locked commit. */
async function loadBase(
  locked: LockedSkill,
  target: Target,
  { home, log }: InstallPlaces,
  fetch: InstallSession["fetch"],
): Promise<SkillContent | undefined> {
  const { own } = locked;
  if (own === undefined) return undefined;
  const stored = await originalsOf(home).load(own.files);
  if (stored !== undefined || own.commit === undefined) return stored;
  const address = addressOf(locked, target.base);
  if (address === undefined) return undefined;
  try {
    const fetched = await fetch(address, own.commit);
    const found = skillIn(fetched, locked);
    return found && readFetched(found, fetched.tree.folder);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    log.warn(`the original of '${locked.name}' cannot be fetched: ${why}`);
    return undefined;
  }
}

/** Keeps the fetched version of a conflict beside the edited one. */
function saveTheirs(home: string, command: string): (name: string, content: SkillContent) => Promise<string> {
  return async (name, content) => {
    const folder = path.join(ownFolderIn(home), "conflicts", command, folderName(name));
    for (const [file, { bytes }] of content) {
      const place = path.join(folder, file);
      await mkdir(path.dirname(place), { recursive: true });
      await writeFile(place, bytes);
    }
    return folder;
  };
}
