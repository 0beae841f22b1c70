import path from "node:path";
import { describeError, errorCode } from "#util";
import type { Diagnostic } from "../skill/diagnostic.ts";
import { LONELY } from "./listing.ts";
import { FOREIGN_LIMITS } from "./scan-state.ts";

/** The problem of an entry that is named like a skill file and is none, or of a companion folder without its file. */
export function oddEntry(file: string, name: string, kind: string): Diagnostic {
  return kind === LONELY ? fileMissing(file, name) : notAFile(file, kind);
}

export function notAFile(file: string, kind: string): Diagnostic {
  const message = `This is ${kind}, not a regular file, so it was not opened. Replace it with a text file.`;
  return { severity: "error", code: "not-a-file", file, message };
}

/** Reported, because nothing in such a folder is served. */
function fileMissing(folder: string, name: string): Diagnostic {
  const message = `A folder called ${name} holds the files of ${name}.md, which is not beside it, so nothing in it is served, neither as a file nor as a skill. Add ${name}.md, or rename the folder.`;
  return { severity: "warning", code: "hidden-skills", file: folder, message };
}

/** Why a folder could not be listed. One that was deleted since its parent was listed is simply gone. */
export function listingProblem(dir: string, failure: unknown): Diagnostic | undefined {
  return errorCode(failure) === "ENOENT" ? unreadableName(dir) : unreadableFolder(dir, failure);
}

export function unreadableFolder(file: string, error: unknown): Diagnostic {
  const message = `This folder cannot be read: ${describeError(error)}.`;
  return { severity: "error", code: "unreadable", file, message };
}

/**
 * Why a listed entry does not exist: Node puts U+FFFD for bytes of a name that are not UTF-8, and there is no file of
 * the name that it gives. Undefined where the name is whole, so that the entry is simply gone.
 */
export function unreadableName(file: string): Diagnostic | undefined {
  if (!path.basename(file).includes("\uFFFD")) return undefined;
  const message =
    "Its name is not valid UTF-8, so it cannot be opened, and no skill in it is served. Rename it; \uFFFD marks the invalid bytes.";
  return { severity: "error", code: "unreadable", file, message };
}

/** Sorts diagnostics by file: folders are listed side by side, so their problems are found in any order. */
export function byFile(a: Diagnostic, b: Diagnostic): number {
  return a.file < b.file ? -1 : Number(a.file > b.file);
}

export function tooManyEntries(rootDir: string, limit: number): Diagnostic {
  const message = `The scan stopped after ${limit.toLocaleString("en")} entries; what was found by then is served. Point the root at your skills alone.`;
  return { severity: "error", code: "scan-limit", file: rootDir, message };
}

export function leadsToMadeUp(file: string): Diagnostic {
  const message = "This link leads into /proc, /sys or /dev, which are never searched for skills. Remove it.";
  return { severity: "warning", code: "refused-link", file, message };
}

export function tooMuchBehindLinks(file: string): Diagnostic {
  const [folders, files] = [FOREIGN_LIMITS.folders, FOREIGN_LIMITS.files].map((most) =>
    most.toLocaleString("en"),
  );
  const message = `This link leads out of the project and the home folder. Behind such links at most ${folders} folders and ${files} skills of one root are searched, and there are more; what was found by then is served. Link to a folder of skills alone, or name the folder with --skill-dir.`;
  return { severity: "error", code: "scan-limit", file, message };
}

export function rootNotAFolder(file: string): Diagnostic {
  const message = "It is not a folder, so no skills can be found in it.";
  return { severity: "error", code: "root-not-a-folder", file, message };
}
