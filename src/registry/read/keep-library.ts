import {
  buildLibrary,
  EMPTY_LIBRARY,
  type LibraryFile,
  skillPathOf,
} from "../../catalog/library/build-library.ts";
import type { Library } from "../../catalog/library/library.ts";
import type { ScannedLibrary } from "../scan/scan-library.ts";

/** A library, and what each of its files was like. */
interface KeptLibrary {
  readonly library: Library;
  /** By the skill's path: another value means that its text may have changed. */
  readonly revisions: ReadonlyMap<string, string>;
}

/** Builds the library of the skills that pass, and keeps it for as long as its files are the very same. */
export function libraryKeeper(
  passes: (path: string) => boolean,
): (scanned: readonly ScannedLibrary[]) => KeptLibrary {
  let last: readonly LibraryFile[] = [];
  let library: Library = EMPTY_LIBRARY;
  return (scanned) => {
    const files = scanned.flatMap((one) => one.files);
    const unchanged = last.length === files.length && last.every((file, index) => file === files[index]);
    if (!unchanged) {
      library = buildLibrary(
        scanned.map(({ prefix, files: all }) => ({
          prefix,
          files: all.filter(({ filePath }) => passes(skillPathOf(filePath))),
        })),
      );
      last = files;
    }
    return { library, revisions: revisionsOf(library, scanned) };
  };
}

function revisionsOf(library: Library, scanned: readonly ScannedLibrary[]): ReadonlyMap<string, string> {
  const byFile = new Map<string, string>();
  for (const { revisions } of scanned) {
    for (const [{ file }, revision] of revisions) byFile.set(file, revision);
  }
  const byPath = new Map<string, string>();
  for (const { path, file } of library.skills.values()) byPath.set(path, byFile.get(file) ?? "");
  return byPath;
}
