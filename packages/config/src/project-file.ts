import path from "node:path";
import { findProjects, homeNames } from "#skills";
import { possibleProjectFiles } from "./possible-project-files.ts";

/** The settings file of the project: the nearest one, in the working directory or above it up to the root of its repository. */
export async function findProjectFile(cwd: string, home: string): Promise<string | undefined> {
  const found = possibleProjectFiles(cwd, home);
  const [nearest] = found;
  if (nearest === undefined || path.dirname(nearest) === cwd) return nearest;
  const { folders } = await findProjects({ starts: [cwd], homes: await homeNames([home]) });
  return found.find((file) => folders.includes(path.dirname(file)));
}
