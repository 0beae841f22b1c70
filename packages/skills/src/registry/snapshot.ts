import { memoizeWeak, type Refusal } from "#util/pure";
import { buildCatalog } from "../catalog/build-catalog.ts";
import type { Catalog, Entry, NameIndex } from "../catalog/catalog.ts";
import { type Filter, passesFilter } from "../catalog/filter.ts";
import { takenPlaces } from "../catalog/taken-places.ts";
import { buildLibrary, EMPTY_LIBRARY, type LibraryFile } from "../library/build-library.ts";
import type { Library } from "../library/library.ts";
import { sameItems } from "../read/file-reader.ts";
import type { PluginOff } from "../roots/plugins.ts";
import type { Root } from "../roots/roots.ts";
import { below } from "../scan/listing.ts";
import type { ScanResult } from "../scan/scan.ts";
import type { ScannedLibrary } from "../scan/scan-library.ts";
import type { Diagnostic } from "../skill/diagnostic.ts";
import type { Skill } from "../skill/skill.ts";
import { createNarrowing, filteredCandidate, filteredFile } from "../visibility/narrowed-scan.ts";
import type { ReviewedSkill } from "../visibility/reviewed.ts";

/** Everything known of the disk at one moment. Never changed, only replaced. */
export interface Snapshot {
  /** The roots that were scanned, plugins included, highest priority first; each real folder once. */
  readonly roots: readonly Root[];
  /** Plugins that are installed but disabled. */
  readonly pluginsOff: readonly PluginOff[];
  readonly catalog: Catalog;
  /** Skills whose file is called `.SKILL.md`. */
  readonly disabled: Catalog;
  /** A text for each skill's file that changes whenever its body may have changed. */
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
  /** Skills that one client is not served, by the names that would load them; absent where there are none. */
  readonly withheld?: {
    readonly names: NameIndex;
    readonly whyNot: (entry: Entry) => Refusal | undefined;
  };
  /** This snapshot reduced to what also passes `filter`, as if nothing else existed. */
  readonly narrowed: (filter: Filter) => Snapshot;
}

/** Builds snapshots of the skills that pass a filter. What has not changed is the very same value as in the last one. */
export function createSnapshotBuilder(filter: Filter): (result: ScanResult) => Snapshot {
  const catalogOf = createCatalogBuilder(filter);
  const disabledOf = createCatalogBuilder(filter);
  const libraryOf = createLibraryBuilder(filter);
  const narrowedBuilders = memoizeWeak((other: Filter) => {
    const narrow = createNarrowing(other);
    const build = createSnapshotBuilder(filter);
    return (result: ScanResult) => build(narrow(result));
  });
  return (result) => {
    const library = libraryOf(result.libraries);
    const catalog = catalogOf(result.enabled);
    return {
      roots: result.roots,
      pluginsOff: result.pluginsOff,
      catalog,
      disabled: disabledOf(result.disabled),
      fingerprints: result.fingerprints,
      listing: result.listing,
      changedFolders: result.changedFolders,
      withFiles: result.withFiles,
      hasFiles: catalog.entries.some(({ skill }) => result.withFiles.has(skill.realDir)),
      surroundings: result.surroundings,
      library,
      libraryFingerprints: libraryFingerprints(library, result.libraries),
      diagnostics: [...result.diagnostics, ...takenPlacesOf(catalog)],
      narrowed: memoizeWeak((other: Filter) => narrowedBuilders(other)(result)),
      ...(result.reviewed === undefined
        ? {}
        : { reviewed: result.reviewed.filter((one) => passesFilter(filter, filteredCandidate(one))) }),
    };
  };
}

const takenPlacesOf = memoizeWeak((catalog: Catalog): readonly Diagnostic[] =>
  takenPlaces(catalog).map(({ by, skill, stillAs }) => {
    const left = stillAs === undefined ? "which is shadowed" : `which is now '${stillAs}'`;
    return {
      severity: "warning",
      code: "takes-place",
      file: below(by.skill.dir, by.skill.fileName),
      message: `In this project '${by.listedAs}' loads this skill instead of yours in ${skill.dir}, ${left}. Rename one of them if you did not intend that.`,
    };
  }),
);

function createCatalogBuilder(filter: Filter): (sightings: readonly Skill[]) => Catalog {
  let last: readonly Skill[] = [];
  let catalog = buildCatalog([]);
  return (sightings) => {
    if (!sameItems(sightings, last)) {
      catalog = buildCatalog(sightings.filter((skill) => passesFilter(filter, skill)));
      last = sightings;
    }
    return catalog;
  };
}

function createLibraryBuilder(filter: Filter): (scanned: readonly ScannedLibrary[]) => Library {
  let last: readonly LibraryFile[] = [];
  let library: Library = EMPTY_LIBRARY;
  return (scanned) => {
    const all = scanned.flatMap(({ files }) => files);
    if (!sameItems(all, last)) {
      library = buildLibrary(
        scanned.map((one) => ({
          prefix: one.prefix,
          files: one.files.filter((file) => passesFilter(filter, filteredFile(file, one))),
        })),
      );
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
