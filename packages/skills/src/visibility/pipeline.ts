import path from "node:path";
import { LIBRARY_PROVIDER } from "#agents";
import { memoizeWeak } from "#util/pure";
import { type Filter, type Filtered, passesFilter, whyFiltered } from "../catalog/filter.ts";
import { type LibraryFile, skillPathOf } from "../library/library.ts";
import { sameItems } from "../read/file-reader.ts";
import { createSnapshotBuilder, type Snapshot } from "../registry/snapshot.ts";
import type { ScanResult } from "../scan/scan.ts";
import type { ScannedLibrary } from "../scan/scan-library.ts";
import type { Diagnostic } from "../skill/diagnostic.ts";
import { foundIn, type Skill } from "../skill/skill.ts";
import { type NotServed, type ReviewedSkill, type SettingsProblem, whyWithheld } from "./not-served.ts";

/**
 * Decides what is served of what a scan found. The steps in their order, each with what it adds to `notServed`:
 *
 * 1. the scan itself: `plugin-off`
 * 2. trust's step, which the scan is given: puts approved versions in the place of what needs an approval (`reviewed`)
 * 3. wrong settings of a server that runs all the same: remove what a setting could have withheld (`wrongSettings`)
 * 4. profiles: add nothing, as whoever is served one must not learn that there is more
 * 5. `--include` and `--exclude`: `filtered`
 * 6. the catalog, which gives names: `shadowed`, `disabled`, `broken`, `not-approved`
 *
 * The rest depends on the client, and changes no name: `withoutDisabled` (`disabled-for`), which also notes the operator's rule for
 * each skill, and for lists `listedSkills` (`not-for-models`, `manual`, `native`).
 */
export function createPipeline(
  filter: Filter,
  wrongSettings: readonly SettingsProblem[] = [],
  profiles: readonly Filter[] = [],
): (found: ScanResult) => Snapshot {
  const steps = [
    createSettingsStep(wrongSettings),
    ...profiles.map(createProfileStep),
    createFilterStep(filter),
  ];
  const build = createSnapshotBuilder();
  const withProfile = memoizeWeak((profile: Filter) =>
    createPipeline(filter, wrongSettings, [...profiles, profile]),
  );
  return (found) => ({
    ...build(steps.reduce((left, step) => step(left), found)),
    ...(wrongSettings.length === 0 ? {} : { wrongSettings }),
    inProfile: memoizeWeak((profile: Filter) => withProfile(profile)(found)),
  });
}

/** The step of wrong settings: what they could have withheld is as good as not there. */
function createSettingsStep(problems: readonly SettingsProblem[]): (found: ScanResult) => ScanResult {
  if (whyWithheld("library", problems).length === 0) return (found) => found;
  const withoutLibraries = (found: ScanResult): ScanResult => ({
    ...found,
    libraries: found.libraries.map((library) => ({ ...library, files: [] })),
  });
  if (whyWithheld("skills", problems).length === 0) return withoutLibraries;
  return (found) => {
    const { reviewed: _reviewed, ...rest } = withoutLibraries(found);
    return { ...rest, enabled: [], disabled: [], notServed: [], diagnostics: [], fingerprints: new Map() };
  };
}

/** What a filter depends on, of a library's file. */
function filteredFile(file: LibraryFile, { repo: from }: Pick<ScannedLibrary, "repo">): Filtered {
  const url = file.repo?.url ?? from;
  const name = skillPathOf(file.filePath);
  return { name, provider: LIBRARY_PROVIDER, ...(url === undefined ? {} : { repo: { url } }) };
}

/** What a filter depends on, of a skill that needs an approval. */
function filteredCandidate({ candidate }: ReviewedSkill): Filtered {
  return candidate.kind === "skill"
    ? candidate.skill
    : filteredFile(candidate.file, candidate.repo === undefined ? {} : { repo: candidate.repo.url });
}

/** The step of `--include` and `--exclude`: removes what does not pass, with the token that decided it. */
function createFilterStep(filter: Filter): (found: ScanResult) => ScanResult {
  let last: readonly object[] = [];
  let removed = new Map<object, NotServed>();
  return (found) => {
    const { enabled, disabled, libraries, reviewed, notServed } = found;
    const all = [...enabled, ...disabled, ...libraries.flatMap(({ files }) => files)];
    if (!sameItems(all, last)) {
      last = all;
      removed = new Map();
      const check = (item: object, skill: Filtered): void => {
        const why = whyFiltered(filter, skill);
        if (why !== undefined) removed.set(item, { kind: "filtered", skill, ...why });
      };
      for (const skill of [...enabled, ...disabled]) check(skill, skill);
      for (const library of libraries)
        for (const file of library.files) check(file, filteredFile(file, library));
    }
    const left = <T extends object>(items: readonly T[]): readonly T[] =>
      removed.size === 0 ? items : items.filter((item) => !removed.has(item));
    return {
      ...found,
      enabled: left(enabled),
      disabled: left(disabled),
      libraries: libraries.map((library) => ({ ...library, files: left(library.files) })),
      notServed: [...notServed, ...removed.values()],
      // What a filter removes is not under review either.
      ...(reviewed && { reviewed: reviewed.filter((one) => passesFilter(filter, filteredCandidate(one))) }),
    };
  };
}

/**
 * The step of profiles: removes what does not pass, without a reason and with everything that tells of it. Whoever is served a
 * profile must not learn that there is more.
 */
export function createProfileStep(filter: Filter): (found: ScanResult) => ScanResult {
  const screened = createScreened();
  return (result) => {
    const passes = (skill: Skill): boolean => passesFilter(filter, skill);
    const all = [...result.enabled, ...result.disabled];
    const removed = all.filter((skill) => !passes(skill)).map(({ realDir }) => realDir);
    const screen = screened(result.enabled.filter(passes), removed);
    const disabled = result.disabled.filter(passes);
    const libraries = result.libraries.map((library) => ({
      ...library,
      files: library.files.filter((file) => passesFilter(filter, filteredFile(file, library))),
    }));
    const seen = [...screen.skills, ...disabled];
    const files = libraries.flatMap((library) => library.files);
    const folders = foldersAbove(seen);
    const { reviewed = [], ...rest } = result;
    const left = reviewed.filter((one) => passesFilter(filter, filteredCandidate(one)));
    return {
      ...rest,
      enabled: screen.skills,
      disabled,
      libraries,
      roots: result.roots.filter(({ dir }) => folders.has(dir)),
      notServed: [],
      fingerprints: new Map(
        screen.skills.map((skill) => [skill, result.fingerprints.get(screen.original(skill)) ?? ""]),
      ),
      diagnostics: diagnosticsOf(result.diagnostics, { all, seen, files }),
      // Without any that may be seen, there is nothing to review.
      ...(left.length === 0 ? {} : { reviewed: left }),
    };
  };
}

/** Every folder that a skill lies in, at any height. */
function foldersAbove(skills: readonly Skill[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const skill of skills) {
    for (let at = foundIn(skill); !folders.has(at); at = path.dirname(at)) folders.add(at);
  }
  return folders;
}

/**
 * A skill that has others below its folder shows none of those that do not pass. It is the very same value from scan to scan,
 * as what is derived from it is cached by it.
 */
function createScreened() {
  const known = new WeakMap<Skill, Skill>();
  return (skills: readonly Skill[], removed: readonly string[]) => {
    const below = foldersBelow(skills, removed);
    const originals = new WeakMap<Skill, Skill>();
    const screenOf = (skill: Skill): Skill => {
      const without = below.get(skill.realDir);
      if (without === undefined) return skill;
      const before = known.get(skill);
      const isSame = before?.without?.join("\0") === without.join("\0");
      const screened = isSame && before !== undefined ? before : { ...skill, without };
      known.set(skill, screened);
      originals.set(screened, skill);
      return screened;
    };
    return {
      skills: below.size === 0 ? skills : skills.map(screenOf),
      original: (skill: Skill): Skill => originals.get(skill) ?? skill,
    };
  };
}

/** The removed folders below each folder of a skill that has some. */
function foldersBelow(
  skills: readonly Skill[],
  removed: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const shown = new Set(skills.map(({ realDir }) => realDir));
  const below = new Map<string, string[]>();
  for (const dir of removed) {
    // The same folder may be seen through another root, where it passes.
    if (shown.has(dir)) continue;
    for (let at = path.dirname(dir); at !== path.dirname(at); at = path.dirname(at)) {
      if (shown.has(at)) below.set(at, [...(below.get(at) ?? []), dir]);
    }
  }
  return below;
}

/** What is said about skills and library files that may be seen, and nothing about any other place. */
function diagnosticsOf(
  diagnostics: readonly Diagnostic[],
  { all, seen, files }: Record<"all" | "seen", readonly Skill[]> & { readonly files: readonly LibraryFile[] },
): readonly Diagnostic[] {
  if (diagnostics.length === 0) return diagnostics;
  const skillDirs = new Set(all.flatMap(dirsOf));
  const seenDirs = new Set(seen.flatMap(dirsOf));
  const seenFiles = new Set(files.flatMap(({ file }) => [file, file.replace(/\.md$/, "")]));
  return diagnostics.filter(({ file }) => {
    if (seenFiles.has(file)) return true;
    // The nearest skill above a file is the one that it belongs to.
    for (let at = file; at !== path.dirname(at); at = path.dirname(at)) {
      if (skillDirs.has(at)) return seenDirs.has(at);
    }
    return false;
  });
}

function dirsOf(skill: Skill): readonly string[] {
  return [skill.dir, skill.realDir, foundIn(skill)];
}
