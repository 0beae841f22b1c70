import { SyncFailure } from "../sync-failure.ts";

/** One line of a commit's tree. */
export interface TreeEntry {
  readonly mode: string;
  readonly oid: string;
  /** Undefined for a submodule. */
  readonly size: number | undefined;
  readonly path: string;
}

/** A file of the repository that is skipped, and why. */
export interface TreeFinding {
  readonly code:
    | "submodule"
    | "reserved-name"
    | "link-leaves"
    | "name-clash"
    | "file-too-large"
    | "path-too-long";
  readonly path: string;
  /** A whole sentence. */
  readonly message: string;
}

export interface TreePlan {
  /** What is written to the disk, in the tree's order. */
  readonly kept: readonly TreeEntry[];
  readonly dropped: readonly TreeEntry[];
  readonly findings: readonly TreeFinding[];
}

export interface TreeLimits {
  readonly files: number;
  readonly totalBytes: number;
  readonly fileBytes: number;
  readonly pathBytes: number;
  readonly depth: number;
}

export const LINK_MODE = "120000";
const SUBMODULE_MODE = "160000";
const LONGEST_NAME = 255;

/** Parses `ls-tree -r -l -z`. A name that is not UTF-8 gets a U+FFFD, which the plan refuses. */
export function parseTree(output: Buffer): readonly TreeEntry[] {
  return output
    .toString("utf8")
    .split("\0")
    .filter((line) => line !== "")
    .map((line) => {
      const tab = line.indexOf("\t");
      const [mode = "", , oid = "", size = "-"] = line.slice(0, tab).split(/ +/);
      return { mode, oid, size: size === "-" ? undefined : Number(size), path: line.slice(tab + 1) };
    });
}

/** Which names the disk takes. */
interface DiskNames {
  /** Whether `Pdf` and `pdf` are one name. */
  readonly foldCase: boolean;
  /** False: it takes none that Windows does not. */
  readonly takeAnyName: boolean;
}

/** Decides which entries of a tree are written. `links` has the targets of its links. Throws when the whole is too large. */
export function planTree(
  entries: readonly TreeEntry[],
  links: ReadonlyMap<string, string>,
  limits: TreeLimits,
  disk: DiskNames,
): TreePlan {
  const findings: TreeFinding[] = [];
  const kept: TreeEntry[] = [];
  const dropped: TreeEntry[] = [];
  const clashing = clashingPaths(entries, disk.foldCase);
  let total = 0;
  for (const entry of entries) {
    const finding = findingFor(entry, links, limits, { clashing, disk });
    if (finding !== undefined) {
      findings.push(finding);
      dropped.push(entry);
      continue;
    }
    kept.push(entry);
    total += entry.size ?? 0;
  }
  if (kept.length > limits.files) throw tooManyFiles(limits);
  if (total > limits.totalBytes) {
    throw new SyncFailure(
      "too-large",
      `The files of the repository are ${megabytes(total)} in all; the limit is ${megabytes(limits.totalBytes)}. ` +
        "Keep skills in a repository of their own.",
    );
  }
  return { kept, dropped, findings };
}

export function tooManyFiles({ files }: TreeLimits): SyncFailure {
  return new SyncFailure(
    "too-large",
    `The repository has more files than the limit of ${files}. Keep skills in a repository of their own.`,
  );
}

function findingFor(
  { mode, path, size }: TreeEntry,
  links: ReadonlyMap<string, string>,
  limits: TreeLimits,
  { clashing, disk }: { readonly clashing: ReadonlySet<string>; readonly disk: DiskNames },
): TreeFinding | undefined {
  const parts = path.split("/");
  const isLink = mode === LINK_MODE;
  const reserved = reservedNameProblem(parts, isLink);
  if (reserved !== undefined) return { code: "reserved-name", path, message: `${reserved}.` };
  // git for Windows refuses them too, but then the whole tree.
  const unusual = disk.takeAnyName
    ? undefined
    : parts.map(windowsNameProblem).find((one) => one !== undefined);
  if (unusual !== undefined) return { code: "reserved-name", path, message: `The path ${unusual}.` };
  if (mode === SUBMODULE_MODE) return { code: "submodule", path, message: "Submodules are not fetched." };
  if (
    Buffer.byteLength(path) > limits.pathBytes ||
    parts.length > limits.depth ||
    parts.some((part) => Buffer.byteLength(part) > LONGEST_NAME)
  )
    return {
      code: "path-too-long",
      path: `${path.slice(0, 80)}…`,
      message: "The path is too long or too deep.",
    };
  if (size !== undefined && size > limits.fileBytes) {
    return {
      code: "file-too-large",
      path,
      message: `The file is ${megabytes(size)}; the limit is ${megabytes(limits.fileBytes)}.`,
    };
  }
  if (isLink && resolveTreeLink(path, links) === undefined)
    return {
      code: "link-leaves",
      path,
      message: "The link points outside the repository or forms a loop.",
    };
  if (clashing.has(path))
    return { code: "name-clash", path, message: "Another file has the same name in different case." };
  return undefined;
}

/**
 * Paths that are equal on a case-insensitive disk. A link among them is dropped on every disk: files written through it
 * would end up elsewhere.
 */
function clashingPaths(entries: readonly TreeEntry[], foldsCase: boolean): ReadonlySet<string> {
  const owners = new Map<string, string>();
  const linkKeys = new Map<string, string>();
  const clashing = new Set<string>();
  for (const { path, mode } of entries) if (mode === LINK_MODE) linkKeys.set(foldPath(path), path);
  for (const { path, mode } of entries) {
    const key = foldPath(path);
    const earlier = owners.get(key);
    if (earlier === undefined) owners.set(key, path);
    else if (foldsCase) clashing.add(path);
    if (linkKeys.size === 0) continue;
    if (mode !== LINK_MODE && linkKeys.has(key)) clashing.add(linkKeys.get(key) ?? path);
    for (let end = key.indexOf("/"); end !== -1; end = key.indexOf("/", end + 1)) {
      const link = linkKeys.get(key.slice(0, end));
      if (link !== undefined) clashing.add(link);
    }
  }
  return clashing;
}

const foldPath = (path: string): string => path.normalize("NFKC").toLowerCase().normalize("NFKC");

export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;

/** How many files differ between two trees; a renamed file counts twice. */
export function countDifferences(before: readonly TreeEntry[], after: readonly TreeEntry[]): number {
  const old = new Map(before.map(({ path, mode, oid }) => [path, `${mode} ${oid}`]));
  let count = 0;
  for (const { path, mode, oid } of after) {
    if (old.get(path) !== `${mode} ${oid}`) count++;
    old.delete(path);
  }
  return count + old.size;
}

/** Code points that macOS ignores when it compares names. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Why a path of a tree must not be written, or undefined. Git refuses the same names, but then the whole tree. */
function reservedNameProblem(parts: readonly string[], isLink: boolean): string | undefined {
  for (const part of parts) {
    if (part === "" || part === "." || part === "..") return "The path leaves its folder";
    if (/[\u0000-\u001f\u007f\ufffd\\]/.test(part))
      return "The name contains a backslash, a control character or bytes that are not text";
    if (isGitFolder(part)) return "The name is reserved for git's own folder";
  }
  if (isLink && /^(?:\.git|gi[a-z0-9]*~\d)/i.test(parts.at(-1)?.replaceAll(IGNORED, "") ?? ""))
    return "The link has the name of a file that git reads";
  return undefined;
}

/** `.git` and every name that some disk takes for it: `.GIT`, `.git.`, `.git::$INDEX_ALLOCATION`, `git~1`, `.g\u200cit`. */
export function isGitFolder(name: string): boolean {
  const plain = name.replaceAll(IGNORED, "");
  return /^(?:\.git|git~\d+)(?:[. ]*(?::.*)?)$/i.test(plain);
}

/** Names of devices on Windows, whatever follows a dot. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/** Why no file on Windows can have this name, or undefined. */
export function windowsNameProblem(name: string): string | undefined {
  if (/[<>:"|?*]/.test(name)) return "has a character that Windows does not allow";
  if (/[. ]$/.test(name)) return "has a name that ends with a dot or a space";
  return DEVICE.test(name) ? "has the name of a device on Windows" : undefined;
}

const MOST_HOPS = 40;

/**
 * Where a link of a tree leads when every link on the way is followed, or undefined if that is outside the tree or a loop.
 * Comparing texts is not enough: `deep/link/../..` seems to be inside, but is not if `deep/link` points up.
 */
export function resolveTreeLink(path: string, links: ReadonlyMap<string, string>): string | undefined {
  const done: string[] = [];
  const open = path.split("/").reverse();
  for (let hops = 0; open.length > 0; ) {
    const part = open.pop() ?? "";
    if (part === "" || part === ".") continue;
    if (part === "..") {
      if (done.pop() === undefined) return undefined;
      continue;
    }
    done.push(part);
    const target = links.get(done.join("/"));
    if (target === undefined) continue;
    if (++hops > MOST_HOPS || target === "" || isAbsolute(target)) return undefined;
    done.pop();
    open.push(...target.split("/").reverse());
  }
  return done.join("/");
}

const isAbsolute = (target: string): boolean => /^[/\\]|^[a-z]:|[\u0000\\]/i.test(target);
