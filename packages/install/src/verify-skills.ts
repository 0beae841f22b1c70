import { readdir } from "node:fs/promises";
import path from "node:path";
import { readInstalledContent } from "#skills";
import { defined } from "#util/pure";
import { readLocked } from "./lock/lock-file.ts";
import type { LockedSkill } from "./lock/lock-text.ts";
import { outdatedSkills } from "./outdated-skills.ts";
import { planAgentPlaces, relativeTo } from "./plan/agent-places.ts";
import { foreignOrigin } from "./plan/foreign-origins.ts";
import { driftOf, readInstalled } from "./plan/installed-skill.ts";
import { lockedAs } from "./plan/origin.ts";
import { folderName } from "./plan/plan.ts";
import { type InstallPlaces, repairTarget, type Target } from "./target.ts";

/** How an installed skill stands to the lock. */
export interface VerifiedSkill {
  readonly name: string;
  /** `unlinked`: as locked, but a link or a copy in the folder of an agent is not. */
  readonly state:
    | "as-locked"
    | "disabled"
    | "edited"
    | "missing"
    | "unlinked"
    | "not-a-folder"
    | "unknown-origin";
  readonly source: string;
  readonly folder: string;
  /** Of an edited one, if the lock has a digest of each file; of an unlinked one, the places in agents' folders. */
  readonly files?: readonly string[];
  /** The newest commit or version, when it was asked for and is another one. */
  readonly newest?: string;
}

/** Compares every installed skill with the lock. Uses the network only with `remote`. */
export async function verifySkills(
  target: Target,
  { remote }: { readonly remote: boolean },
  places: InstallPlaces,
): Promise<readonly VerifiedSkill[]> {
  await repairTarget(target, places.log);
  const locked = await readLocked(target.lock);
  const newest = remote ? await outdatedSkills(target, places) : [];
  const verified: VerifiedSkill[] = [];
  for (const skill of locked) {
    const update = newest.find(({ name, isOutdated }) => name === skill.name && isOutdated)?.newest;
    const found = await withPlaces(verifyOne(skill, target), skill, target);
    verified.push({ ...found, ...defined({ newest: update }) });
  }
  return [...verified, ...(await unknownSkills(locked, target, places))];
}

function verifyOne(locked: LockedSkill, target: Target): VerifiedSkill {
  const { name } = locked;
  const installed = readInstalled(name, target, locked);
  const known = { name, source: lockedAs(locked), folder: installed.folder };
  if (installed.kind === "missing") return { ...known, state: "missing" };
  if (installed.kind !== "folder") return { ...known, state: "not-a-folder" };
  const drift = driftOf(locked, installed.content);
  if (drift.kind === "none") return { ...known, state: "as-locked" };
  if (drift.kind === "disabled") return { ...known, state: "disabled" };
  return { ...known, state: "edited", ...(drift.kind === "edited" ? { files: drift.files } : {}) };
}

/** Whether a skill that is as locked is also where the lock says in agents' folders. */
async function withPlaces(
  verified: VerifiedSkill,
  locked: LockedSkill,
  target: Target,
): Promise<VerifiedSkill> {
  const content = verified.state === "as-locked" ? readInstalledContent(verified.folder) : undefined;
  if (content === undefined) return verified;
  const options = { target, locked, agents: [], asCopies: false, prefer: "neither" } as const;
  const { places, taken } = await planAgentPlaces(locked.name, content, verified.folder, options);
  const files = [...places.map((place) => place.target), ...taken.map(({ place }) => place)];
  if (files.length === 0) return verified;
  return { ...verified, state: "unlinked", files: files.map((place) => relativeTo(target.base, place)) };
}

/** Folders that the lock does not know; another tool may. */
async function unknownSkills(
  locked: readonly LockedSkill[],
  target: Target,
  places: InstallPlaces,
): Promise<readonly VerifiedSkill[]> {
  const known = new Set(locked.map(({ name }) => folderName(name)));
  const entries = await readdir(target.skillsDir, { withFileTypes: true }).catch(() => []);
  const others = entries.filter(
    (entry) => !known.has(entry.name) && !entry.name.startsWith(".") && !entry.isFile(),
  );
  const found: VerifiedSkill[] = [];
  for (const { name } of others.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const folder = path.join(target.skillsDir, name);
    const source = (await foreignOrigin(folder, places)) ?? "local";
    found.push({ name, state: "unknown-origin", source, folder });
  }
  return found;
}
