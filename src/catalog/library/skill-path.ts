/** `ui/react/auth.md` → `ui/react/auth`. */
export function skillPathOf(filePath: string): string {
  return filePath.replace(/\.md$/, "");
}

/** The skill that stands above one, whether it exists or not; undefined above the root. */
export function derivedParent(path: string): string | undefined {
  if (path === ROOT) return undefined;
  const folder = folderOf(path);
  if (lastSegment(path) !== INDEX) return folder === "" ? ROOT : `${folder}/${INDEX}`;
  // The index of a folder stands below the index of the folder around it.
  const above = folderOf(folder);
  return above === "" ? ROOT : `${above}/${INDEX}`;
}

/** The nearest skill above one that exists. */
export function existingParent(path: string, exists: (path: string) => boolean): string | undefined {
  let parent = derivedParent(path);
  while (parent !== undefined && !exists(parent)) parent = derivedParent(parent);
  return parent;
}

const ROOT = "_root";
const INDEX = "_index";

function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
