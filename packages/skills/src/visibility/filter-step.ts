import { LIBRARY_PROVIDER } from "#agents";
import { type Filter, type Filtered, passesFilter, whyFiltered } from "../catalog/filter.ts";
import { type LibraryFile, skillPathOf } from "../library/build-library.ts";
import { sameItems } from "../read/file-reader.ts";
import type { ScanResult } from "../scan/scan.ts";
import type { ScannedLibrary } from "../scan/scan-library.ts";
import type { NotServed } from "./not-served.ts";
import type { ReviewedSkill } from "./reviewed.ts";

/** What a filter depends on, of a library's file. */
export function filteredFile(file: LibraryFile, { repo: from }: Pick<ScannedLibrary, "repo">): Filtered {
  const url = file.repo?.url ?? from;
  const name = skillPathOf(file.filePath);
  return { name, provider: LIBRARY_PROVIDER, ...(url === undefined ? {} : { repo: { url } }) };
}

/** What a filter depends on, of a skill that needs an approval. */
export function filteredCandidate({ candidate }: ReviewedSkill): Filtered {
  return candidate.kind === "skill"
    ? candidate.skill
    : filteredFile(candidate.file, candidate.repo === undefined ? {} : { repo: candidate.repo.url });
}

/** The step of `--include` and `--exclude`: removes what does not pass, with the token that decided it. */
export function createFilterStep(filter: Filter): (found: ScanResult) => ScanResult {
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
