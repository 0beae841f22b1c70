import { memoizeWeak } from "#util/pure";
import { buildCatalog } from "../catalog/build-catalog.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Filter } from "../catalog/filter.ts";
import { projectOverrides } from "../catalog/project-overrides.ts";
import { buildLibrary, EMPTY_LIBRARY, type LibraryFile } from "../library/build-library.ts";
import type { Library } from "../library/library.ts";
import { sameItems } from "../read/file-reader.ts";
import type { Root } from "../roots/roots.ts";
import { below } from "../scan/listing.ts";
import type { ScanResult } from "../scan/scan.ts";
import type { ScannedLibrary } from "../scan/scan-library.ts";
import { type Diagnostic, isBrokenSkill } from "../skill/diagnostic.ts";
import type { Skill } from "../skill/skill.ts";
import type { NotServed } from "../visibility/not-served.ts";
import type { ReviewedSkill } from "../visibility/reviewed.ts";

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
