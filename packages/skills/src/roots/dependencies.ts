import path from "node:path";
import { NPM_PROVIDER } from "#agents";
import { type Disk, errorCode, fingerprintOf, isInside, mayChangeUnseen, withOpenFile } from "#util";
import { isRecord } from "#util/pure";
import type { Diagnostic } from "../skill/diagnostic.ts";
import { loadableName } from "../skill/skill.ts";
import type { Root, RootPlan } from "./roots.ts";
import { findWorkspaces } from "./workspaces.ts";

/** The skills in npm packages that a project depends on, as roots. */
type FoundDependencies = Required<Pick<RootPlan, "roots" | "markers" | "awaited" | "diagnostics">>;

interface DependencySearch {
  /** Each working folder and those above it up to the root of its repository. */
  readonly projects: readonly string[];
  readonly disk: Disk;
  /** True: all that changed is known, and no package is among it. */
  readonly isPartial: boolean;
}

/** More are no project's direct dependencies. */
const MOST_PACKAGES = 2_000;
const LARGEST_MANIFEST = 1024 * 1024;
const FIELDS = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"] as const;
/** What npm allows, old names included. Anything else could lead out of `node_modules`. */
const PACKAGE_NAME = /^(?:@[a-z0-9~_-][a-z0-9._~-]*\/)?[a-z0-9~_-][a-z0-9._~-]*$/i;
const LONGEST_PACKAGE_NAME = 214;
const VERSION = /^[0-9A-Za-z.+-]{1,64}$/;

/**
 * Finds the skills of direct dependencies and workspaces, as @tanstack/intent and the `skills` tool do. Only the named packages
 * are looked at: one listing and one manifest for each, and after that only those that changed.
 */
export function createDependencyFinder(now: () => number) {
  const packages = createPackages(now);
  let last: { readonly key: string; readonly found: FoundDependencies } | undefined;
  return async ({ projects, disk, isPartial }: DependencySearch): Promise<FoundDependencies> => {
    const key = (await Promise.all(projects.map((dir) => projectKey(dir, disk)))).join("\n");
    if (isPartial && last?.key === key) return last.found;
    const found = await search(projects, disk, packages);
    last = { key, found };
    return found;
  };
}

/** Another text means that dependencies were declared, installed or removed. */
async function projectKey(dir: string, disk: Disk): Promise<string> {
  const places = [path.join(dir, "package.json"), ...stateFiles(dir)];
  const stats = await Promise.all(places.map(async (place) => disk.lstat(place)));
  return stats.map((each) => each && fingerprintOf(each)).join(" ");
}

/** What npm, pnpm and yarn write when they have installed something. */
function stateFiles(dir: string): readonly string[] {
  return [".package-lock.json", ".modules.yaml", ".yarn-state.yml"].map((name) =>
    path.join(dir, "node_modules", name),
  );
}

type Packages = ReturnType<typeof createPackages>;

async function search(projects: readonly string[], disk: Disk, packages: Packages) {
  const found = { roots: [] as Root[], markers: [] as string[], awaited: [] as string[] };
  const diagnostics: Diagnostic[] = [];
  const seen = new Set<string>();
  packages.begin();
  const add = async (name: string, dir: string): Promise<boolean> => {
    if (seen.has(name)) return true;
    const roots = await packages.rootsOf(name, dir, disk);
    if (roots === undefined) return false;
    seen.add(name);
    found.roots.push(...roots);
    return true;
  };
  const addDependencies = async (manifest: Manifest, from: string, top: string): Promise<void> => {
    for (const name of dependenciesOf(manifest)) {
      if (seen.size >= MOST_PACKAGES) return;
      for (let dir = from; ; dir = path.dirname(dir)) {
        if ((await add(name, path.join(dir, "node_modules", name))) || dir === top) break;
      }
    }
  };
  for (const [index, project] of projects.entries()) {
    const file = path.join(project, "package.json");
    found.markers.push(file);
    const read = await readManifest(file, disk);
    if (read === undefined) continue;
    if ("problem" in read) {
      diagnostics.push({ severity: "warning", code: "dependencies", file, message: read.problem });
      continue;
    }
    // Packages are found in the folders above too, but not in those of other projects.
    const above = projects.slice(index).filter((dir) => isInside(dir, project));
    const top = above.at(-1) ?? project;
    await addDependencies(read.manifest, project, top);
    for (const dir of await findWorkspaces(project, read.manifest, disk)) {
      const own = await readManifest(path.join(dir, "package.json"), disk);
      if (own === undefined || "problem" in own) continue;
      const { name } = own.manifest;
      if (isPackageName(name)) await add(name, dir);
      await addDependencies(own.manifest, dir, top);
    }
    for (const state of stateFiles(project))
      if ((await disk.lstat(state)) !== undefined) found.awaited.push(state);
  }
  return { ...found, diagnostics };
}

function dependenciesOf(manifest: Manifest): readonly string[] {
  const names = FIELDS.flatMap((field) => {
    const named = manifest[field];
    return isRecord(named) ? Object.keys(named) : [];
  });
  return [...new Set(names)].filter(isPackageName);
}

function isPackageName(name: unknown): name is string {
  return typeof name === "string" && name.length <= LONGEST_PACKAGE_NAME && PACKAGE_NAME.test(name);
}

/** What was found in each package's folder; from the second search on, an unchanged one is not listed again. */
function createPackages(now: () => number) {
  let before: ReadonlyMap<string, KnownPackage> = new Map();
  let current = new Map<string, KnownPackage>();
  let searches = 0;
  return {
    begin(): void {
      before = current;
      current = new Map();
      searches++;
    },
    /** Undefined: the package is not installed there. */
    async rootsOf(name: string, dir: string, disk: Disk): Promise<readonly Root[] | undefined> {
      // Someone waits for the first search, and it has nothing to compare.
      if (searches === 1) return rootsIn(name, dir, disk);
      const startedAt = now();
      const places = [
        // With the dot it is the folder that a link leads to.
        await disk.lstat(`${dir}${path.sep}.`),
        await disk.lstat(path.join(dir, "package.json")),
      ];
      const key = [name, ...places.map((stats) => stats && fingerprintOf(stats))].join(" ");
      const known = before.get(dir);
      const roots = known?.key === key ? known.roots : await rootsIn(name, dir, disk);
      const isCertain = places.every((stats) => stats !== undefined && !mayChangeUnseen(stats, startedAt));
      if (roots !== undefined && isCertain) current.set(dir, { key, roots });
      return roots;
    },
  };
}

interface KnownPackage {
  readonly key: string;
  readonly roots: readonly Root[];
}

const NONE: readonly Root[] = [];
const NAMED = Buffer.from('"agentskills"');

/** What most packages have beside their manifest: no skill is looked for there. */
const CODE: ReadonlySet<string> = new Set(
  "LICENSE README CHANGELOG bin build cjs dist docs es esm lib node_modules src test types umd".split(" "),
);

/** The folders of skills in a package: what people who write such packages use, and nothing that leads out of it. */
async function rootsIn(name: string, dir: string, disk: Disk): Promise<readonly Root[] | undefined> {
  const names = await disk.names(dir);
  if (names?.includes("package.json") !== true) return undefined;
  const candidates: Candidate[] = [];
  if (names.includes("skills")) candidates.push({ folder: "skills" });
  if (names.includes(".agents")) candidates.push({ folder: path.join(".agents", "skills") });
  if (names.includes("SKILL.md"))
    candidates.push({ folder: ".", except: names.map((each) => path.join(dir, each)) });
  else candidates.push(...(await skillFolders(dir, names, disk)));
  const file = path.join(dir, "package.json");
  const read = candidates.length > 0 ? await readManifest(file, disk) : await readManifest(file, disk, NAMED);
  const manifest = read !== undefined && "manifest" in read ? read.manifest : {};
  candidates.push(...namedFolders(manifest).map((folder) => ({ folder })));
  if (candidates.length === 0) return NONE;
  return inPackage({ name, dir, manifest }, candidates, disk);
}

/** The folders of a package that are skills themselves. */
async function skillFolders(
  dir: string,
  names: readonly string[],
  disk: Disk,
): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  for (const folder of names) {
    if (folder === "skills" || folder.includes(".") || CODE.has(folder)) continue;
    if ((await disk.lstat(path.join(dir, folder, "SKILL.md"))) !== undefined) found.push({ folder });
  }
  return found;
}

/** A folder of a package, with those below it that are not entered. */
interface Candidate {
  readonly folder: string;
  readonly except?: readonly string[];
}

interface Package {
  readonly name: string;
  readonly dir: string;
  readonly manifest: Manifest;
}

async function inPackage(
  { name, dir, manifest }: Package,
  candidates: readonly Candidate[],
  disk: Disk,
): Promise<readonly Root[]> {
  const version = typeof manifest["version"] === "string" ? manifest["version"] : "";
  const called = manifest["name"];
  const alias = isPackageName(called) && called !== name ? { alias: called } : {};
  const plugin = { name: loadableName(name), package: { name, ...alias } };
  const label = `npm package ${name}${VERSION.test(version) ? ` ${version}` : ""}`;
  const roots: Root[] = [];
  try {
    const within = await disk.realpath(dir);
    for (const { folder, except } of candidates) {
      const place = path.join(dir, folder);
      if (roots.some((root) => root.except === undefined && isInside(root.dir, place))) continue;
      const real = await realFolder(place, disk);
      if (real === undefined || !isInside(within, real)) continue;
      const root = {
        dir: place,
        provider: NPM_PROVIDER,
        location: "project",
        plugin,
        label,
        within,
      } as const;
      roots.push({ ...root, named: false, ...(except === undefined ? {} : { except }) });
    }
  } catch {
    // It is being installed or removed: the next scan finds it.
  }
  return roots;
}

async function realFolder(place: string, disk: Disk): Promise<string | undefined> {
  try {
    const real = await disk.realpath(place);
    return (await disk.stat(real))?.isDirectory() === true ? real : undefined;
  } catch {
    return undefined;
  }
}

/** `agentskills: {skills: [{name, path}]}`, the field of npm-agentskills. */
function namedFolders(manifest: Manifest): readonly string[] {
  const field = manifest["agentskills"];
  const skills = isRecord(field) ? field["skills"] : undefined;
  if (!Array.isArray(skills)) return [];
  return (skills as readonly unknown[]).flatMap((skill) => {
    const named = isRecord(skill) ? skill["path"] : undefined;
    if (typeof named !== "string" || named.includes("\0") || path.isAbsolute(named)) return [];
    const folder = path.normalize(named);
    const isLeading = folder.split(path.sep).some((part) => part === ".." || part === "node_modules");
    return isLeading || folder === "." ? [] : [folder];
  });
}

type Manifest = Readonly<Record<string, unknown>>;
type ReadManifest = { readonly manifest: Manifest } | { readonly problem: string };

/** Undefined when there is no such file, or it does not contain what is looked for. */
async function readManifest(file: string, disk: Disk, needle?: Buffer): Promise<ReadManifest | undefined> {
  const unreadable = {
    problem: "It is not a JSON object of at most 1 MiB, so no dependency's skill is served.",
  };
  try {
    const bytes = await withOpenFile(
      file,
      ({ stats, readStart }) =>
        stats.isFile() && stats.size <= LARGEST_MANIFEST ? readStart(stats.size) : undefined,
      disk,
    );
    if (bytes === undefined) return unreadable;
    if (needle !== undefined && !bytes.includes(needle)) return undefined;
    const value: unknown = JSON.parse(bytes.toString("utf8").replace(/^\uFEFF/, ""));
    return isRecord(value) ? { manifest: value } : unreadable;
  } catch (error) {
    const code = errorCode(error);
    return code === "ENOENT" || code === "ENOTDIR" ? undefined : unreadable;
  }
}
