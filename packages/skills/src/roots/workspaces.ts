import path from "node:path";
import { type Disk, withOpenFile } from "#util";
import { isRecord } from "#util/pure";
import { globMatches } from "../catalog/filter.ts";

/** Bounds for patterns such as `**`. */
const MOST_FOLDERS = 2_000;
const DEEPEST = 6;
const LARGEST_FILE = 64 * 1024;

/** The folders that a project's `workspaces` (npm, yarn, bun) or `pnpm-workspace.yaml` name, without those that `!` excludes. */
export async function findWorkspaces(
  root: string,
  manifest: Readonly<Record<string, unknown>>,
  disk: Disk,
): Promise<readonly string[]> {
  const patterns = patternsIn(manifest["workspaces"]) ?? (await pnpmPatterns(root, disk));
  if (patterns.length === 0) return [];
  const plain = patterns.map((each) => each.trim().replace(/^\.\//, "").replace(/\/+$/, ""));
  const excluded = plain.filter((each) => each.startsWith("!")).map((each) => each.slice(1).split("/"));
  const search = { disk, left: MOST_FOLDERS, found: new Set<string>() };
  for (const pattern of plain) {
    const parts = pattern.split("/");
    if (!pattern.startsWith("!") && parts.every((part) => part !== "" && part !== ".." && part !== "."))
      await expand(root, parts, DEEPEST, search);
  }
  return [...search.found].filter((dir) => {
    const parts = path.relative(root, dir).split(path.sep);
    return !excluded.some((pattern) => matches(parts, pattern));
  });
}

function patternsIn(workspaces: unknown): readonly string[] | undefined {
  const list = isRecord(workspaces) ? workspaces["packages"] : workspaces;
  if (!Array.isArray(list)) return undefined;
  return (list as readonly unknown[]).filter((each) => typeof each === "string");
}

/** Of `pnpm-workspace.yaml`, the list `packages`, which everybody writes with one item on each line. */
async function pnpmPatterns(root: string, disk: Disk): Promise<readonly string[]> {
  try {
    const bytes = await withOpenFile(
      path.join(root, "pnpm-workspace.yaml"),
      ({ stats, readStart }) =>
        stats.isFile() && stats.size <= LARGEST_FILE ? readStart(stats.size) : undefined,
      disk,
    );
    const lines = bytes?.toString("utf8").split(/\r?\n/) ?? [];
    const start = lines.findIndex((line) => /^packages:\s*(?:#.*)?$/.test(line));
    const list = start < 0 ? [] : lines.slice(start + 1);
    const end = list.findIndex((line) => /^[^\s#-]/.test(line));
    return (end < 0 ? list : list.slice(0, end)).flatMap(
      (line) => /^\s*-\s*(?:'([^']+)'|"([^"]+)"|([^\s#'"]+))/.exec(line)?.slice(1).find(Boolean) ?? [],
    );
  } catch {
    return [];
  }
}

async function expand(
  dir: string,
  [part, ...rest]: readonly string[],
  depth: number,
  search: { readonly disk: Disk; left: number; readonly found: Set<string> },
): Promise<void> {
  if (part === undefined) {
    search.found.add(dir);
    return;
  }
  if (search.left-- <= 0 || depth === 0) return;
  if (part === "**") await expand(dir, rest, depth, search);
  const entries = await search.disk.list(dir);
  if ("failure" in entries) return;
  for (const entry of entries) {
    const { name } = entry;
    // A link may lead anywhere.
    if (!entry.isDirectory() || name === "node_modules" || name.startsWith(".")) continue;
    if (part === "**") await expand(path.join(dir, name), ["**", ...rest], depth - 1, search);
    else if (globMatches(part, name)) await expand(path.join(dir, name), rest, depth - 1, search);
  }
}

function matches([name, ...deeper]: readonly string[], [part, ...rest]: readonly string[]): boolean {
  if (part === undefined) return name === undefined;
  if (part === "**")
    return (
      matches(name === undefined ? [] : [name, ...deeper], rest) ||
      (name !== undefined && matches(deeper, [part, ...rest]))
    );
  return name !== undefined && globMatches(part, name) && matches(deeper, rest);
}
