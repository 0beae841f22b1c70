import path from "node:path";
import type { Disk } from "#util";

/** What is known of roots before they are scanned. */
interface PresentRoots<R> {
  /** Those that may exist, in order. */
  readonly present: readonly R[];
  /** What has to appear before one of the others can exist. */
  readonly awaited: readonly string[];
}

/** From so many roots on, one listing is cheaper than a call for each. */
const ENOUGH_TO_LIST = 8;

/**
 * Leaves out most of the roots that do not exist. Every agent's folder lies below the project, each folder above it and
 * the home folder, as `.agent/skills`, and almost none exists: one listing of each of these folders shows that.
 */
export async function findPresentRoots<R extends { readonly dir: string; readonly named: boolean }>(
  roots: readonly R[],
  disk: Disk,
): Promise<PresentRoots<R>> {
  const places = roots.map(({ dir }) => {
    const parent = path.dirname(dir);
    return { folder: path.dirname(parent), name: path.basename(parent), parent };
  });
  const counts = new Map<string, number>();
  for (const { folder } of places) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  const names = new Map<string, ReadonlySet<string>>();
  for (const [folder, count] of counts) {
    const found = count < ENOUGH_TO_LIST ? undefined : await disk.names(folder);
    if (found !== undefined) names.set(folder, new Set(found.map(folded)));
  }
  const present: R[] = [];
  const awaited: string[] = [];
  for (const [index, root] of roots.entries()) {
    const place = places[index];
    const isAbsent = place !== undefined && names.get(place.folder)?.has(folded(place.name)) === false;
    // A missing folder that someone named is reported by its scan.
    if (!isAbsent || root.named) present.push(root);
    else awaited.push(place.parent);
  }
  return { present, awaited };
}

/** Some file systems ignore case. Where they do not, a root that is not there after all is found to be missing. */
function folded(name: string): string {
  return name.toLowerCase();
}
