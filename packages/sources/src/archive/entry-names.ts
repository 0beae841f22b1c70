import { isGitFolder, type TreeLimits, windowsNameProblem } from "../versions/tree-plan.ts";
import { ArchiveProblem, shownName } from "./archive-problem.ts";

const LONGEST_NAME = 255;

/**
 * Why a path from an archive or a site must not be written to the disk, or undefined. The answer is the same on every system,
 * so that an archive that installs here installs everywhere.
 */
export function entryPathProblem(path: string, limits: TreeLimits): string | undefined {
  const parts = path.split("/");
  if (path === "") return "has an empty name";
  if (path.startsWith("/")) return "has an absolute path";
  if (/^[a-z]:/i.test(path)) return "has a path with a drive letter";
  if (path.includes("\\")) return "has a backslash in its path";
  if (parts.includes("..")) return "leads out of its folder with '..'";
  if (parts.includes("") || parts.includes(".")) return "has an empty part or '.' in its path";
  if (/[\u0000-\u001f\u007f-\u009f\ufffd]/.test(path))
    return "has a control character or bytes that are not text";
  if (Buffer.byteLength(path) > limits.pathBytes) return `has a path of more than ${limits.pathBytes} bytes`;
  if (parts.length > limits.depth) return `is more than ${limits.depth} folders deep`;
  for (const part of parts) {
    const unusual = windowsNameProblem(part);
    if (unusual !== undefined) return unusual;
    if (isGitFolder(part)) return "has a name that is reserved for git's own folder";
    if (Buffer.byteLength(part) > LONGEST_NAME) return `has a name of more than ${LONGEST_NAME} bytes`;
  }
  return undefined;
}

/** Equal for names that some disk takes for the same: case and Unicode forms are ignored. */
const foldPath = (path: string): string => path.normalize("NFKC").toLowerCase().normalize("NFKC");

/** Collects the paths of a tree, and refuses what cannot stand beside the others. */
export function createNameRegister(limits: TreeLimits) {
  const files = new Set<string>();
  /** Each folder as it was first written. */
  const folders = new Map<string, string>();
  let count = 0;

  function addFolders(path: string): void {
    for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1))
      addFolder(path.slice(0, end));
  }

  function addFolder(path: string): void {
    const key = foldPath(path);
    if (files.has(key)) throw unsafe(path, "is a file and a folder at once");
    const earlier = folders.get(key) ?? path;
    if (earlier !== path) throw unsafe(path, `is the same folder as ${shownName(earlier)} on some systems`);
    folders.set(key, path);
  }

  function check(path: string): void {
    if (++count > limits.files)
      throw new ArchiveProblem("too-large", `has more entries than the limit of ${limits.files}`);
    const problem = entryPathProblem(path, limits);
    if (problem !== undefined) throw unsafe(path, problem);
    addFolders(path);
  }

  return {
    addFile(path: string): void {
      check(path);
      const key = foldPath(path);
      if (files.has(key)) throw unsafe(path, "is there twice, or differs from another name only in case");
      if (folders.has(key)) throw unsafe(path, "is a file and a folder at once");
      files.add(key);
    },
    addFolder(path: string): void {
      check(path);
      addFolder(path);
    },
  };
}

function unsafe(path: string, problem: string): ArchiveProblem {
  return new ArchiveProblem("unsafe", `is refused because its entry ${shownName(path)} ${problem}`);
}
