import path from "node:path";
import { digestsOf, parseSkill, type SkillContent } from "#skills";
import { defined } from "#util/pure";
import type { FolderChange, FolderPlace } from "../apply/apply-changes.ts";
import { foldersBeside, keptBeside } from "../content/beside-content.ts";
import { keepMine, type MergedContent, mergeContent } from "../content/merge-content.ts";
import { type LockedSkill, type OwnData, type RawEntry, writeEntry } from "../lock/lock-text.ts";
import { type AgentPlaceOptions, type AgentPlaces, planAgentPlaces, relativeTo } from "./agent-places.ts";
import { computedHash, gitTreeHash } from "./content-hashes.ts";
import { isQualified, qualifiedName, readFetched, type SourceSkill } from "./found-skills.ts";
import {
  disabledContent,
  driftOf,
  enabledContent,
  type InstalledSkill,
  readInstalled,
} from "./installed-skill.ts";
import { isSameSource, type LockedSource, lockedAs, shownSource } from "./origin.ts";
import { compareFiles, isSame, NO_FILES, type PlannedSkill, type PlannedStep } from "./plan.ts";

/** A skill that was fetched and is to be installed. */
export interface Incoming {
  readonly skill: SourceSkill;
  readonly source: LockedSource;
  /** The folder of the whole source. */
  readonly sourceFolder: string;
  readonly commit: string | undefined;
  readonly version: string | undefined;
  /** Where in the same source the installed skill of this name is from, if that is another skill. */
  readonly installedFrom?: string;
}

export interface PlanOptions extends AgentPlaceOptions {
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
  const theirs = readFetched(skill, incoming.sourceFolder);
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
  const { merged, keep, dropped } = await mergeInto(installed, theirs, isKnown, options);
  if (merged.conflicts.length > 0 && prefer === "neither") {
    const kept = await options.keepTheirs?.(skill.name, theirs);
    const files = merged.conflicts.map(({ file }) => file).join(", ");
    const both = kept === undefined ? "" : ` Yours is in ${installed.folder}, the new one in ${kept}.`;
    return conflict(
      `edited by hand and changed by its source: ${files}.${both} ` +
        "skills-mcp update --keep-mine keeps your version of these files, --force takes the new ones and moves yours to the trash",
    );
  }
  // A link would lead elsewhere from there.
  const withoutLinks = new Map([...merged.content].filter(([, { isOdd }]) => isOdd !== true));
  const others = await planAgentPlaces(skill.name, withoutLinks, installed.folder, options);
  const [taken] = others.taken;
  if (taken !== undefined) return conflict(taken.reason);
  const after = entryFor(incoming, theirs, { ...others, folder: installed.folder }, options);
  const fetchedTo = merged.content === theirs && !isQualified(skill) ? skill.folder : undefined;
  const notes = [
    ...(isQualified(skill) ? [`${qualifiedName(skill)} in its source`] : []),
    ...(locked === undefined || isKnown ? [] : [`instead of ${lockedAs(locked)}`]),
    ...(dropped.length === 0 ? [] : [`without your ${dropped.join(", ")}`]),
  ];
  const plan = { shown, installed, merged, keep, theirs, fetchedTo, notes, after, options };
  return finishPlan({ ...plan, others: others.places, isReplaced: locked !== undefined && !isKnown });
}

/** Why what is there is not ours to replace. */
function foreignReason(
  installed: InstalledSkill,
  theirs: SkillContent,
  { skill, source, installedFrom }: Incoming,
  { locked, prefer }: PlanOptions,
): string | undefined {
  if (installed.kind === "link" || installed.kind === "file") {
    const what = installed.kind === "link" ? "a link that someone made, and is left alone" : "a file";
    return `${installed.folder} is ${what}. Move it away to install the skill`;
  }
  if (prefer === "theirs") return undefined;
  // Also where the content is the same: the next update would be from another source.
  if (locked !== undefined && !isSameSource(locked, source))
    return `${skill.name} is installed from ${lockedAs(locked)}; --replace takes it from ${source.source}`;
  if (installedFrom !== undefined)
    return `${skill.name} is installed from ${installedFrom} of ${source.source}; --replace takes ${skill.path}`;
  if (locked !== undefined || installed.kind !== "folder" || isSame(installed.content, theirs))
    return undefined;
  return `${installed.folder} exists and its origin is unknown. --replace moves the one that is there to the trash`;
}

interface MergedSkill {
  readonly merged: MergedContent;
  /** Folders of the installed skill without content that stay: `node_modules`, `.git`, empty ones. */
  readonly keep: readonly string[];
  /** What the user has in the skill and will not have any more, for people. */
  readonly dropped: readonly string[];
}

/** `isKnown`: the installed skill is from the same source. */
async function mergeInto(
  installed: InstalledSkill,
  theirs: SkillContent,
  isKnown: boolean,
  options: PlanOptions,
): Promise<MergedSkill> {
  const plain = { content: theirs, merged: [], kept: [], conflicts: [] };
  if (installed.kind !== "folder") return { merged: plain, keep: [], dropped: [] };
  const beside = foldersBeside(installed.folder, installed.content);
  const enabled = enabledContent(installed.content, theirs);
  const mine = enabled ?? installed.content;
  // An update enables nothing. A skill of another source is another skill.
  const asItWas = (content: SkillContent): SkillContent =>
    enabled !== undefined && isKnown ? disabledContent(content) : content;
  if (options.prefer === "theirs") {
    const modes = [...theirs].flatMap(([file, { isExecutable }]) =>
      mine.get(file)?.isExecutable === true && !isExecutable ? [`x bit of ${file}`] : [],
    );
    return {
      merged: { ...plain, content: asItWas(theirs) },
      keep: [],
      dropped: [...beside.map(asFolder), ...modes],
    };
  }
  const { merged, dropped } = await mergeEdits(mine, theirs, options);
  const content = asItWas(withModes(merged.content, mine));
  const { keep, taken } = keptBeside(beside, content);
  return { merged: { ...merged, content }, keep, dropped: [...dropped, ...taken.map(asFolder)] };
}

const asFolder = (folder: string): string => `${folder}/`;

async function mergeEdits(
  mine: SkillContent,
  theirs: SkillContent,
  { locked, prefer, loadBase }: PlanOptions,
): Promise<Pick<MergedSkill, "merged" | "dropped">> {
  const plain = { merged: { content: theirs, merged: [], kept: [], conflicts: [] }, dropped: [] };
  if (locked === undefined || driftOf(locked, mine).kind === "none" || isSame(mine, theirs)) return plain;
  // Without the original every difference may be an edit.
  const merged = mergeContent((await loadBase(locked)) ?? new Map(), mine, theirs);
  return prefer === "mine" ? keepMine(merged, mine) : { merged, dropped: [] };
}

/** The content with the x bits that files have already. The very same content if that changes nothing. */
function withModes(content: SkillContent, mine: SkillContent): SkillContent {
  const files = [...content].filter(
    ([file, { isExecutable }]) => !isExecutable && mine.get(file)?.isExecutable === true,
  );
  if (files.length === 0) return content;
  return new Map([
    ...content,
    ...files.map(([file, data]) => [file, { ...data, isExecutable: true }] as const),
  ]);
}

function versionIn(content: SkillContent, fileName: string): string | undefined {
  const parsed = parseSkill(content.get(fileName)?.bytes.toString("utf8") ?? "", { lenient: true });
  return parsed.ok ? parsed.skill.requirements?.version : undefined;
}

function entryFor(
  { skill, source, commit, version }: Incoming,
  theirs: SkillContent,
  { copies, links, folder }: AgentPlaces & { readonly folder: string },
  { target, locked, now }: PlanOptions,
): RawEntry {
  const { format } = target.lock;
  const isGit = ["github", "gitlab", "git"].includes(source.sourceType);
  const treeHash = format === "user" && source.sourceType === "github" ? gitTreeHash(theirs) : undefined;
  const own: OwnData = {
    ...defined({ commit, version, skillVersion: versionIn(theirs, skill.fileName) }),
    ...(isGit ? {} : { path: skill.path }),
    files: digestsOf(theirs),
    ...(path.dirname(folder) === target.skillsDir ? {} : { folder: relativeTo(target.base, folder) }),
    ...(copies.length === 0 ? {} : { copies }),
    ...(links.length === 0 ? {} : { links }),
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
  readonly keep: readonly string[];
  readonly theirs: SkillContent;
  readonly fetchedTo: string | undefined;
  readonly notes: readonly string[];
  readonly isReplaced: boolean;
  readonly others: readonly FolderPlace[];
  readonly after: RawEntry;
  readonly options: PlanOptions;
}): PlannedStep {
  const { shown, installed, merged, keep, theirs, fetchedTo, notes, isReplaced, others, after } = plan;
  const { locked } = plan.options;
  const before = installed.kind === "folder" ? installed.digests : {};
  const files = {
    ...compareFiles(before, digestsOf(merged.content)),
    merged: merged.merged,
    kept: merged.kept,
  };
  const isUnchanged = files.added.length + files.changed.length + files.removed.length === 0;
  // A skill from another source is replaced even by the same files, so that undo brings its entry back.
  if (installed.kind === "folder" && isUnchanged && others.length === 0 && !isReplaced) {
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
      ...(keep.length === 0 ? {} : { keep }),
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
  const reasons = [...notes, ...(places.length === 0 ? [] : [`also in ${places.join(", ")}`])];
  return {
    shown: { ...shown, action: kind, files, ...(reasons.length === 0 ? {} : { reason: reasons.join(", ") }) },
    change,
    original: theirs,
    ...old,
    after: merged.content,
  };
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
