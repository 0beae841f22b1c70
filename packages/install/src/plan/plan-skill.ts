import path from "node:path";
import { digestsOf, readInstalledContent, readSourceContent, type SkillContent } from "#skills";
import { defined } from "#util/pure";
import type { FolderChange, FolderPlace } from "../apply/apply-changes.ts";
import { isThere } from "../apply/swap.ts";
import { type MergedContent, mergeContent } from "../content/merge-content.ts";
import { type LockedSkill, type OwnData, type RawEntry, writeEntry } from "../lock/lock-text.ts";
import { isLinkTo, type Target } from "../target.ts";
import { computedHash, gitTreeHash } from "./content-hashes.ts";
import type { SourceSkill } from "./found-skills.ts";
import {
  agentPlace,
  disabledContent,
  driftOf,
  type InstalledSkill,
  readInstalled,
} from "./installed-skill.ts";
import { isSameSource, type LockedSource, shownSource } from "./origin.ts";
import { compareFiles, folderName, NO_FILES, type PlannedSkill, type PlannedStep } from "./plan.ts";

/** A skill that was fetched and is to be installed. */
export interface Incoming {
  readonly skill: SourceSkill;
  readonly source: LockedSource;
  /** The folder of the whole source. */
  readonly sourceFolder: string;
  readonly commit: string | undefined;
  readonly version: string | undefined;
}

export interface PlanOptions {
  readonly target: Target;
  readonly locked: LockedSkill | undefined;
  /** Folders of agents that get it as well. */
  readonly agents: readonly string[];
  readonly asCopies: boolean;
  /** What is used where an edit does not fit: neither (a conflict), the edit, or the source. */
  readonly prefer: "neither" | "mine" | "theirs";
  /** What was installed; undefined if neither the store nor the source has it any more. */
  readonly loadBase: (locked: LockedSkill) => Promise<SkillContent | undefined>;
  /** Writes the fetched skill of a conflict to a folder, and returns it. Absent: nothing is to be written. */
  readonly keepTheirs?: (name: string, content: SkillContent) => Promise<string>;
  readonly now: string;
}

/** What installing a skill does to what is there. */
export async function planSkill(incoming: Incoming, options: PlanOptions): Promise<PlannedStep> {
  const { skill, source, commit, version } = incoming;
  const { target, locked, prefer } = options;
  const theirs = readSourceContent(skill.folder, incoming.sourceFolder);
  const isKnown = locked !== undefined && isSameSource(locked, source);
  const installed = readInstalled(skill.name, target, isKnown ? locked : undefined);
  const shown = {
    name: skill.name,
    source: shownSource(source, commit, version),
    ...defined({ commit }),
    folder: installed.folder,
  };
  const conflict = (reason: string): PlannedStep => ({
    shown: { ...shown, action: "conflict", files: NO_FILES, reason },
  });
  const foreign = foreignReason(installed, theirs, incoming, options);
  if (foreign !== undefined) return conflict(foreign);
  const merged = await mergeInto(installed, theirs, options);
  if (merged.conflicts.length > 0 && prefer === "neither") {
    const kept = await options.keepTheirs?.(skill.name, theirs);
    const files = merged.conflicts.map(({ file }) => file).join(", ");
    const both = kept === undefined ? "" : ` Yours is in ${installed.folder}, the new one in ${kept}.`;
    return conflict(
      `edited by hand and changed by its source: ${files}.${both} ` +
        "skills-mcp update --keep-mine keeps your version of these files, --force takes the new ones and moves yours to the trash",
    );
  }
  const others = await agentPlaces(skill.name, merged.content, installed, options);
  if (typeof others === "string") return conflict(others);
  const after = entryFor(incoming, theirs, { ...others, folder: installed.folder }, options);
  const fetchedTo = merged.content === theirs ? skill.folder : undefined;
  return finishPlan({ shown, installed, merged, theirs, fetchedTo, others: others.places, after, options });
}

/** Why what is there is not ours to replace. */
function foreignReason(
  installed: InstalledSkill,
  theirs: SkillContent,
  { source }: Incoming,
  { locked, prefer }: PlanOptions,
): string | undefined {
  if (installed.kind === "missing") return undefined;
  if (installed.kind !== "folder") {
    const what = installed.kind === "link" ? "a link that someone made, and is left alone" : "a file";
    return `${installed.folder} is ${what}. Move it away to install the skill`;
  }
  if (prefer === "theirs" || isSame(installed.content, theirs)) return undefined;
  const way = "--force moves the one that is there to the trash";
  if (locked === undefined) return `${installed.folder} exists and its origin is unknown. ${way}`;
  return isSameSource(locked, source) ? undefined : `it is installed from ${locked.source}. ${way}`;
}

async function mergeInto(
  installed: InstalledSkill,
  theirs: SkillContent,
  { locked, prefer, loadBase }: PlanOptions,
): Promise<MergedContent> {
  const plain = { content: theirs, merged: [], kept: [], conflicts: [] };
  if (installed.kind !== "folder" || locked === undefined || prefer === "theirs") return plain;
  const mine = installed.content;
  const drift = driftOf(locked, mine).kind;
  if (drift === "none" || isSame(mine, theirs)) return plain;
  // An update enables nothing.
  if (drift === "disabled") return { ...plain, content: disabledContent(theirs) };
  // Without the original every difference may be an edit.
  const merged = mergeContent((await loadBase(locked)) ?? new Map(), mine, theirs);
  if (prefer !== "mine" || merged.conflicts.length === 0) return merged;
  const content = new Map(merged.content);
  for (const { file } of merged.conflicts) {
    const own = mine.get(file);
    if (own !== undefined && own.isOdd !== true) content.set(file, own);
  }
  const links = merged.conflicts.filter(({ reason }) => reason === "link");
  return {
    ...merged,
    content,
    kept: [...merged.kept, ...merged.conflicts.map(({ file }) => file)],
    conflicts: links,
  };
}

interface AgentPlaces {
  readonly places: readonly FolderPlace[];
  /** Relative to the base, for the lock. */
  readonly copies: readonly string[];
}

/** The places in agents' folders, or why one of them cannot be used. */
async function agentPlaces(
  name: string,
  content: SkillContent,
  { folder }: InstalledSkill,
  { target, locked, agents, asCopies, prefer }: PlanOptions,
): Promise<AgentPlaces | string> {
  const known = (locked?.own?.copies ?? []).flatMap((copy) => agentPlace(copy, name, target) ?? []);
  const wanted = agents.map((agent) => path.join(agent, folderName(name)));
  const places: FolderPlace[] = [];
  const copies: string[] = [];
  for (const place of new Set([...known, ...wanted])) {
    const isCopy = known.includes(place) || asCopies;
    if (isCopy) copies.push(relativeTo(target.base, place));
    if (!isCopy && (await isLinkTo(place, folder))) continue;
    const there = readInstalledContent(place);
    const isOurs =
      known.includes(place) &&
      (there === undefined || locked === undefined || driftOf(locked, there).kind === "none");
    if (!isOurs && prefer !== "theirs" && isThere(place) && !(there !== undefined && isSame(there, content)))
      return `${place} exists${known.includes(place) ? " and was edited by hand" : ""}. --force moves it to the trash`;
    if (isCopy && there !== undefined && isSame(there, content)) continue;
    places.push({
      target: place,
      becomes: isCopy ? { kind: "files", content } : { kind: "link", to: folder },
    });
  }
  return { places, copies };
}

function entryFor(
  { skill, source, commit, version }: Incoming,
  theirs: SkillContent,
  { copies, folder }: AgentPlaces & { readonly folder: string },
  { target, locked, now }: PlanOptions,
): RawEntry {
  const { format } = target.lock;
  const isGit = ["github", "gitlab", "git"].includes(source.sourceType);
  const treeHash = format === "user" && source.sourceType === "github" ? gitTreeHash(theirs) : undefined;
  const own: OwnData = {
    ...defined({ commit, version }),
    ...(isGit ? {} : { path: skill.path }),
    files: digestsOf(theirs),
    ...(path.dirname(folder) === target.skillsDir ? {} : { folder: relativeTo(target.base, folder) }),
    ...(copies.length === 0 ? {} : { copies }),
  };
  const skillPath = isGit ? { skillPath: path.posix.join(skill.path, skill.fileName) } : {};
  const before = locked !== undefined && isSameSource(locked, source) ? locked.raw : undefined;
  return writeEntry(
    { ...source, ...skillPath, hash: treeHash ?? computedHash(theirs), own },
    format,
    before,
    now,
  );
}

function finishPlan(plan: {
  readonly shown: Pick<PlannedSkill, "name" | "source" | "commit" | "folder">;
  readonly installed: InstalledSkill;
  readonly merged: MergedContent;
  readonly theirs: SkillContent;
  readonly fetchedTo: string | undefined;
  readonly others: readonly FolderPlace[];
  readonly after: RawEntry;
  readonly options: PlanOptions;
}): PlannedStep {
  const { shown, installed, merged, theirs, fetchedTo, others, after } = plan;
  const { locked } = plan.options;
  const before = installed.kind === "folder" ? installed.digests : {};
  const files = {
    ...compareFiles(before, digestsOf(merged.content)),
    merged: merged.merged,
    kept: merged.kept,
  };
  const isUnchanged = files.added.length + files.changed.length + files.removed.length === 0;
  if (installed.kind === "folder" && isUnchanged && others.length === 0) {
    const isRecorded = locked !== undefined && sameEntry(locked.raw, after);
    return {
      shown: { ...shown, action: "keep", files, reason: "up to date" },
      ...(isRecorded ? {} : { entry: after, original: theirs }),
    };
  }
  const kind = installed.kind === "folder" ? "update" : "add";
  const main: FolderPlace = {
    target: installed.folder,
    becomes: {
      kind: "files",
      content: merged.content,
      ...defined({ fetchedTo }),
    },
    expected: installed.kind === "folder" ? installed.digests : "nothing",
  };
  const change: FolderChange = {
    name: shown.name,
    kind,
    before: locked?.raw ?? null,
    after,
    places: [main, ...others],
  };
  const old = installed.kind === "folder" ? { before: installed.content } : {};
  const places = others.map(({ target }) => relativeTo(plan.options.target.base, target));
  const also = places.length === 0 ? {} : { reason: `also in ${places.join(", ")}` };
  return {
    shown: { ...shown, action: kind, files, ...also },
    change,
    original: theirs,
    ...old,
    after: merged.content,
  };
}

/** As locks name places: with `/`. */
export function relativeTo(base: string, place: string): string {
  return path.relative(base, place).split(path.sep).join("/");
}

/** The time of an update alone is no change. */
function sameEntry(a: RawEntry, b: RawEntry): boolean {
  const compared = (entry: RawEntry): string =>
    JSON.stringify(
      Object.entries(entry)
        .filter(([key]) => key !== "updatedAt" && key !== "installedAt")
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  return compared(a) === compared(b);
}

function isSame(a: SkillContent, b: SkillContent): boolean {
  const { added, changed, removed } = compareFiles(digestsOf(a), digestsOf(b));
  return added.length + changed.length + removed.length === 0;
}
