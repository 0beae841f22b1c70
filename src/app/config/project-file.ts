import { existsSync } from "node:fs";
import path from "node:path";
import { findProjects, homeNames, repositoriesOn } from "../../registry/roots/projects.ts";
import { POOLED_DISK } from "../../system/files/file-system.ts";

const NAME = ".skills-mcp.yaml";

/** Whether there may be a project's file: one look at each folder up to the home folder, and nothing is read. */
export function mayHaveProjectFile(cwd: string, home: string): boolean {
  return candidates(cwd, home).length > 0;
}

/** The settings file of the project: the nearest one, in the working directory or above it up to the root of its repository. */
export async function findProjectFile(cwd: string, home: string): Promise<string | undefined> {
  const found = candidates(cwd, home);
  const [nearest] = found;
  if (nearest === undefined || path.dirname(nearest) === cwd) return nearest;
  const { folders } = await findProjects({
    starts: [cwd],
    homes: await homeNames([home]),
    isRepository: repositoriesOn(POOLED_DISK),
  });
  return found.find((file) => folders.includes(path.dirname(file)));
}

function candidates(cwd: string, home: string): readonly string[] {
  const found: string[] = [];
  for (let dir = cwd; ; dir = path.dirname(dir)) {
    if (dir !== cwd && dir === home) return found;
    const file = path.join(dir, NAME);
    if (existsSync(file)) found.push(file);
    if (dir === path.dirname(dir)) return found;
  }
}
