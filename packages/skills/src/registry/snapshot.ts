import { memoizeWeak, nameKey } from "#util/pure";
import { buildCatalog, type Catalog, type Entry, lookUp } from "../catalog/catalog.ts";
import type { Filter } from "../catalog/filter.ts";
import {
  buildLibrary,
  EMPTY_LIBRARY,
  type Library,
  type LibraryFile,
  type LibrarySkill,
} from "../library/library.ts";
import { sameItems } from "../read/file-reader.ts";
import type { Root } from "../roots/roots.ts";
import { below } from "../scan/listing.ts";
import type { ScanResult } from "../scan/scan.ts";
import type { ScannedLibrary } from "../scan/scan-library.ts";
import { type Diagnostic, isBrokenSkill } from "../skill/diagnostic.ts";
import { sameInvocation } from "../skill/invocation.ts";
import type { Skill } from "../skill/skill.ts";
import type { NotServed, ReviewedSkill, SettingsProblem } from "../visibility/not-served.ts";

/** Everything known of the disk at one moment. Never changed, only replaced. */
export interface Snapshot {
  /** The roots that were scanned, plugins included, highest priority first; each real folder once. */
  readonly roots: readonly Root[];
  readonly catalog: Catalog;
  /** Skills whose file is called `.SKILL.md`. */
  readonly disabled: Catalog;
  /** What is not served, and why: shadowed skills first, then disabled ones, each in listing order. */
  readonly notServed: readonly NotServed[];
  /** Of each skill's file: another value means that its body may have changed. */
  readonly fingerprints: ReadonlyMap<Skill, string>;
  /** Another value means that a file came to a skill's folder, or went from it. */
  readonly listing: number;
  /** The real folders to which an entry came, or from which one went, since the last scan. */
  readonly changedFolders: readonly string[];
  /** The real folders of skills that have files besides their own. */
  readonly withFiles: ReadonlySet<string>;
  /** Whether a skill that is served is one of them. */
  readonly hasFiles: boolean;
  /** Every place outside of skills that decides which skills there are. */
  readonly surroundings: () => readonly string[];
  readonly library: Library;
  /** A text for each library skill's file that changes with it, by the skill's path. */
  readonly libraryFingerprints: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
  /** Skills that are served only as they were approved, or not at all; absent where there are none. */
  readonly reviewed?: readonly ReviewedSkill[];
  /** What is wrong in the settings, and keeps skills from being served; absent when nothing is. */
  readonly wrongSettings?: readonly SettingsProblem[];
  /** Of a snapshot for one client: the snapshot for all clients, which has the same names and one search index. */
  readonly whole?: Snapshot;
  /** A snapshot of this moment for a profile, as if there were nothing but what passes its filter. */
  readonly inProfile: (filter: Filter) => Snapshot;
}

/** Builds snapshots of what is left to serve. What has not changed is the very same value as in the last one. */
export function createSnapshotBuilder(): (found: ScanResult) => Omit<Snapshot, "inProfile"> {
  const catalogOf = createCatalogBuilder();
  const disabledOf = createCatalogBuilder();
  const libraryOf = createLibraryBuilder();
  return (found) => {
    const library = libraryOf(found.libraries);
    const catalog = catalogOf(found.enabled);
    const disabled = disabledOf(found.disabled);
    return {
      roots: found.roots,
      catalog,
      disabled,
      notServed: notServedOf(found, catalog, disabled),
      fingerprints: found.fingerprints,
      listing: found.listing,
      changedFolders: found.changedFolders,
      withFiles: found.withFiles,
      hasFiles: catalog.entries.some(({ skill }) => found.withFiles.has(skill.realDir)),
      surroundings: found.surroundings,
      library,
      libraryFingerprints: libraryFingerprints(library, found.libraries),
      diagnostics: [...found.diagnostics, ...overrideWarnings(catalog)],
      ...(found.reviewed === undefined ? {} : { reviewed: found.reviewed }),
    };
  };
}

function notServedOf(
  { diagnostics, reviewed = [], notServed }: ScanResult,
  catalog: Catalog,
  disabled: Catalog,
): readonly NotServed[] {
  return [
    ...catalog.entries.flatMap((by): readonly NotServed[] =>
      by.shadowed.map((skill) => ({ kind: "shadowed", skill, by })),
    ),
    ...disabled.entries.map((entry): NotServed => ({ kind: "disabled", entry })),
    ...diagnostics.filter(isBrokenSkill).map((problem): NotServed => ({ kind: "broken", problem })),
    ...reviewed
      .filter(({ served }) => served === undefined)
      .map((review): NotServed => ({ kind: "not-approved", review })),
    ...notServed,
  ];
}

const overrideWarnings = memoizeWeak((catalog: Catalog): readonly Diagnostic[] =>
  projectOverrides(catalog).map(({ by, skill, stillAs }) => {
    const left = stillAs === undefined ? "which is shadowed" : `which is now '${stillAs}'`;
    return {
      severity: "warning",
      code: "takes-place",
      file: below(by.skill.dir, by.skill.fileName),
      message: `In this project '${by.listedAs}' loads this skill instead of yours in ${skill.dir}, ${left}. Rename one of them if you did not intend that.`,
    };
  }),
);

function createCatalogBuilder(): (sightings: readonly Skill[]) => Catalog {
  let last: readonly Skill[] = [];
  let catalog = buildCatalog([]);
  return (sightings) => {
    if (!sameItems(sightings, last)) {
      catalog = buildCatalog(sightings);
      last = sightings;
    }
    return catalog;
  };
}

function createLibraryBuilder(): (scanned: readonly ScannedLibrary[]) => Library {
  let last: readonly LibraryFile[] = [];
  let library: Library = EMPTY_LIBRARY;
  return (scanned) => {
    const all = scanned.flatMap(({ files }) => files);
    if (!sameItems(all, last)) {
      library = buildLibrary(scanned);
      last = all;
    }
    return library;
  };
}

function libraryFingerprints(
  library: Library,
  scanned: readonly ScannedLibrary[],
): ReadonlyMap<string, string> {
  const byFile = new Map<string, string>();
  for (const { fingerprints } of scanned) {
    for (const [{ file }, fingerprint] of fingerprints) byFile.set(file, fingerprint);
  }
  return new Map([...library.skills.values()].map(({ path, file }) => [path, byFile.get(file) ?? ""]));
}

/** A user's skill whose name loads a skill of the project instead. */
interface ProjectOverride {
  readonly by: Entry;
  readonly skill: Skill;
  /** The name that still loads it; undefined when it is shadowed. */
  readonly stillAs: string | undefined;
}

/**
 * Whoever writes a project's files decides what its skills say, so the user should know where one of them answers to a name
 * that was theirs: it has the identity of theirs, or the short name leads to it.
 */
export function projectOverrides({ entries, names }: Catalog): readonly ProjectOverride[] {
  const taken: ProjectOverride[] = [];
  for (const by of entries) {
    if (by.shadowed.length === 0 || !isOfProject(by)) continue;
    for (const skill of by.shadowed) if (isOfUser(skill)) taken.push({ by, skill, stillAs: undefined });
  }
  for (const sameName of names.byName.values()) {
    const name = sameName[0]?.skill.name ?? "";
    const found = sameName.length < 2 ? undefined : lookUp(names, name);
    if (found?.kind !== "found" || !isOfProject(found.entry)) continue;
    const without = withoutProjects(sameName, name);
    if (without !== undefined && isOfUser(without.skill))
      taken.push({ by: found.entry, skill: without.skill, stillAs: without.listedAs });
  }
  return taken;
}

/** What a name would load if no project had a skill of it. */
function withoutProjects(sameName: readonly Entry[], name: string): Entry | undefined {
  const others = sameName.filter((entry) => !isOfProject(entry));
  const alone = { byName: new Map([[nameKey(name), others]]), ofQualified: () => undefined };
  const found = lookUp(alone, name);
  // A plugin's skill goes by its full name in every list.
  return found.kind === "found" && found.entry.skill.plugin === undefined ? found.entry : undefined;
}

/** A folder that the user named on the command line is theirs, wherever it lies. */
function isOfProject({ skill: { location, provider } }: Entry): boolean {
  return location === "project" && provider !== "file";
}

/** Their own, or of a repository that they have served. */
function isOfUser({ location }: Skill): boolean {
  return location === "user" || location === "repo";
}

/** What a refresh changed that a client can see in a listing. */
export interface CatalogChange {
  readonly added: number;
  readonly removed: number;
  readonly changed: number;
}

interface Visible {
  readonly catalog: Catalog;
  readonly library: Library;
  /** Whether any skill has files besides its own: then there is a tool to read them. */
  readonly hasFiles: boolean;
  /** Lists begin with it. */
  readonly wrongSettings?: readonly SettingsProblem[];
}

/** The difference between two snapshots as clients see them, or undefined when there is none. */
export function visibleChange(before: Visible, after: Visible): CatalogChange | undefined {
  const skills =
    before.catalog === after.catalog
      ? NONE
      : difference(before.catalog.entries, after.catalog.entries, listedName, looksTheSame);
  const library =
    before.library === after.library
      ? NONE
      : difference(
          [...before.library.skills.values()],
          [...after.library.skills.values()],
          pathOf,
          librarySkillsLookTheSame,
        );
  const added = skills.added + library.added;
  const removed = skills.removed + library.removed;
  const changed = skills.changed + library.changed;
  if (added + removed + changed > 0) return { added, removed, changed };
  const isSame = before.hasFiles === after.hasFiles && areSameProblems(before, after);
  return isSame ? undefined : { ...NONE, changed: 1 };
}

function areSameProblems({ wrongSettings: before }: Visible, { wrongSettings: after }: Visible): boolean {
  return before === after || JSON.stringify(before) === JSON.stringify(after);
}

const NONE: CatalogChange = { added: 0, removed: 0, changed: 0 };
const listedName = ({ listedAs }: Entry): string => listedAs;
const pathOf = ({ path }: LibrarySkill): string => path;

function difference<T>(
  before: readonly T[],
  after: readonly T[],
  nameOf: (item: T) => string,
  same: (a: T, b: T) => boolean,
): CatalogChange {
  const known = new Map(before.map((item) => [nameOf(item), item]));
  let added = 0;
  let changed = 0;
  for (const item of after) {
    const previous = known.get(nameOf(item));
    if (previous === undefined) added++;
    else if (!same(previous, item)) changed++;
    known.delete(nameOf(item));
  }
  return { added, changed, removed: known.size };
}

function looksTheSame(a: Entry, b: Entry): boolean {
  return (
    a.skill === b.skill ||
    (a.skill.description === b.skill.description &&
      a.skill.provider === b.skill.provider &&
      a.skill.location === b.skill.location &&
      sameInvocation(a.skill.invocation, b.skill.invocation) &&
      isSamePlace(a.skill, b.skill))
  );
}

/** A new version of a repository lies in another folder, which no list shows. */
function isSamePlace(a: Skill, b: Skill): boolean {
  if (a.repo === undefined || b.repo === undefined) return a.dir === b.dir;
  return a.repo.url === b.repo.url && a.repo.path === b.repo.path;
}

function librarySkillsLookTheSame(a: LibrarySkill, b: LibrarySkill): boolean {
  return a === b || JSON.stringify(shownOf(a)) === JSON.stringify(shownOf(b));
}

/** Without the paths on the disk: a new version of the same content has another path. */
function shownOf(skill: LibrarySkill): unknown {
  const { path, description, keywords, priority, inherit, assets, scripts, parent } = skill;
  return [path, description, keywords, priority, inherit, assets, scripts, parent];
}
