// A file of its own: `hook run` needs nothing else of this part, and what checks settings files is slow to load.
import { readdirSync } from "node:fs";
import path from "node:path";
import { mayExist } from "#util";

/** The name of a project's settings file. */
export const PROJECT_FILE = ".skills-mcp.yaml";

/** The lock of the `skills` tool, which lists what is installed in a project. */
export const PROJECT_LOCK = "skills-lock.json";

/** Whether there may be a project's file: one look at each folder up to the home folder, and nothing is read. */
export function mayHaveProjectFile(cwd: string, home: string): boolean {
  return possibleProjectFiles(cwd, home).length > 0;
}

/** The project files in the working directory and above it, nearest first, also above the root of the repository. */
export function possibleProjectFiles(cwd: string, home: string): readonly string[] {
  const found: string[] = [];
  for (let dir = cwd; ; dir = path.dirname(dir)) {
    if (dir !== cwd && dir === home) return found;
    const file = path.join(dir, PROJECT_FILE);
    if (mayExist(file) && !isEmptyFolder(file)) found.push(file);
    if (dir === path.dirname(dir)) return found;
  }
}

/** The sandbox of scripts puts an empty folder where there is no file, so that a script cannot write one. */
function isEmptyFolder(place: string): boolean {
  try {
    return readdirSync(place).length === 0;
  } catch {
    return false;
  }
}
