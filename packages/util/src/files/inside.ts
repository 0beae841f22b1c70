import path from "node:path";

/** Whether `inner` is `outer` or lies below it. Both are absolute and normalised. */
export function isInside(outer: string, inner: string): boolean {
  const relative = path.relative(outer, inner);
  return (
    relative === "" ||
    (relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative))
  );
}

/** Whether a path below a folder leads through a hidden name: one that starts with a dot, such as `.env` or `.git/`. */
export function hasHiddenName(relative: string): boolean {
  return relative.split(/[/\\]/).some((name) => name.startsWith(".") && name !== "." && name !== "..");
}
