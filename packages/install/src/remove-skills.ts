import { lstat } from "node:fs/promises";
import path from "node:path";
import { requireAgent } from "#agents";
import { pathPartIn } from "#skills";
import { Refusal } from "#util/pure";
import type { FolderPlace } from "./apply/apply-changes.ts";
import { type InstallResult, runSession, type SessionOptions } from "./install-session.ts";
import { type LockedSkill, withoutPlaces } from "./lock/lock-text.ts";
import { linksTo, relativeTo } from "./plan/agent-places.ts";
import { agentPlace, readInstalled } from "./plan/installed-skill.ts";
import { entriesNamed } from "./plan/locked-content.ts";
import { lockedAs } from "./plan/origin.ts";
import { NO_FILES, type PlannedStep } from "./plan/plan.ts";
import { agentFolder, type InstallPlaces, type Target } from "./target.ts";
import { refuseUnknown } from "./update-skills.ts";

export interface RemoveOptions extends SessionOptions {
  /** None: every installed skill. */
  readonly names: readonly string[];
  /** Only the links and copies in the folders of these agents are removed; none: the skills themselves. */
  readonly agents: readonly string[];
}

/** Moves skills to the trash, with their links and copies in the folders of agents. */
export async function removeSkills(
  target: Target,
  options: RemoveOptions,
  places: InstallPlaces,
): Promise<InstallResult> {
  for (const name of options.names) refusePath(name);
  const agents = options.agents.map(requireAgent);
  const folders = await Promise.all(options.agents.map((agent) => agentFolder(agent, target, places)));
  return runSession(target, places, options, async ({ locked }) => {
    const { found, unknown } = entriesNamed(locked, options.names);
    if (agents.length > 0) {
      refuseUnknown(unknown, target, locked);
      const titles = agents.map(({ title }) => title).join(" and ");
      const shown = { titles, folders: folders.filter((folder) => folder !== undefined) };
      return Promise.all(found.map((skill) => planRemovalFrom(shown, skill, target)));
    }
    const steps: PlannedStep[] = [];
    for (const skill of found) steps.push(await planRemoval(skill.name, skill, target));
    for (const name of unknown) {
      const { kind } = readInstalled(name, target);
      if (kind === "missing") refuseUnknown([name], target, locked);
      steps.push(await planRemoval(name, undefined, target));
    }
    return steps;
  });
}

async function planRemoval(
  name: string,
  locked: LockedSkill | undefined,
  target: Target,
): Promise<PlannedStep> {
  const installed = readInstalled(name, target, locked);
  const source = locked === undefined ? "local" : lockedAs(locked);
  const shown = { name, source, folder: installed.folder };
  if (installed.kind === "missing") {
    const left = { ...shown, action: "remove", files: NO_FILES, reason: "only in the lock" } as const;
    const [first, ...more] = await placesOfAgents(name, installed.folder, locked, target);
    if (first === undefined) return { shown: left, entry: null };
    const places = [placeWithout(first), ...more.map(placeWithout)] as const;
    const before = locked?.raw ?? null;
    return { shown: left, change: { name, kind: "remove", before, after: null, places } };
  }
  if (installed.kind !== "folder") {
    const what = installed.kind === "link" ? "a link that someone made" : "a file";
    const reason = `${installed.folder} is ${what}, and is left alone. Remove it by hand`;
    return { shown: { ...shown, action: "conflict", files: NO_FILES, reason } };
  }
  const files = { ...NO_FILES, removed: [...installed.content.keys()] };
  const main: FolderPlace = { ...placeWithout(installed.folder), expected: installed.digests };
  const others = await placesOfAgents(name, installed.folder, locked, target);
  const change = {
    name: locked?.name ?? name,
    kind: "remove" as const,
    before: locked?.raw ?? null,
    after: null,
    places: [main, ...others.map(placeWithout)] as const,
  };
  return { shown: { ...shown, action: "remove", files }, change };
}

/** Takes a skill out of the folders of some agents. It stays where it is installed. */
async function planRemovalFrom(
  { titles, folders }: { readonly titles: string; readonly folders: readonly string[] },
  locked: LockedSkill,
  target: Target,
): Promise<PlannedStep> {
  const { name, raw } = locked;
  const { folder } = readInstalled(name, target, locked);
  const shown = { name, source: lockedAs(locked), folder, files: NO_FILES };
  const all = await placesOfAgents(name, folder, locked, target);
  const [first, ...others] = all.filter((place) => folders.includes(path.dirname(place))).map(placeWithout);
  if (first === undefined) {
    const reason = `${titles} ${titles.includes(" and ") ? "have" : "has"} no link to it and no copy of it`;
    return { shown: { ...shown, action: "keep", reason } };
  }
  const gone = [first, ...others].map((place) => relativeTo(target.base, place.target));
  return {
    shown: { ...shown, action: "update", reason: `removed from ${gone.map(path.posix.dirname).join(", ")}` },
    change: {
      name,
      kind: "update",
      before: raw,
      after: withoutPlaces(raw, gone),
      places: [first, ...others],
    },
  };
}

const placeWithout = (target: string): FolderPlace => ({ target, becomes: { kind: "nothing" } });

/** Links to the skill, and the copies that the lock knows of. */
async function placesOfAgents(
  name: string,
  folder: string,
  locked: LockedSkill | undefined,
  target: Target,
): Promise<readonly string[]> {
  const found = [...(await linksTo(folder, name, target))];
  for (const copy of locked?.own?.copies ?? []) {
    const place = agentPlace(copy, name, target);
    if (place === undefined) continue;
    const stats = await lstat(place).catch(() => undefined);
    if (stats?.isDirectory() === true) found.push(place);
  }
  return found;
}

/** A name never becomes a path. */
function refusePath(name: string): void {
  const part = pathPartIn(name);
  if (part === undefined) return;
  throw new Refusal(`'${name}' contains ${part}, which no skill name does.`, { code: "invalid-name", name });
}
