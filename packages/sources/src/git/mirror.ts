import { existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { runQueue } from "#util";
import { SyncFailure } from "../sync-failure.ts";
import { LINK_MODE, parseTree, type TreeEntry, tooManyFiles } from "../versions/tree-plan.ts";
import type { GitCommands, RemoteRef } from "./git-commands.ts";
import type { GitLimits } from "./git-limits.ts";

const REF = "refs/skills/head";
const FETCH = "fetch --progress --no-tags --no-recurse-submodules --no-write-fetch-head --force".split(" ");
/** No conversion, no filter: files arrive byte for byte. This file overrides every `.gitattributes`. */
const ATTRIBUTES = "* -text -ident -filter !eol !working-tree-encoding\n";

interface MirrorContext {
  readonly folder: string;
  readonly git: GitCommands;
  readonly limits: GitLimits;
}

/** A bare copy of one branch without its history, for the owner of the lock. The length of a commit shows which hash the remote uses. */
export async function openMirror(folder: string, wanted: RemoteRef, git: GitCommands, limits: GitLimits) {
  await createRepository(folder, wanted.commit.length === 64);
  await removeLeftovers(folder);
  const mirror: MirrorContext = { folder, git, limits };
  return {
    fetch: (onProgress: (text: string) => void) => fetchRef(mirror, wanted.ref, onProgress),
    /** Fetches by refspecs, with options such as a depth. */
    fetchRefs: (args: readonly string[], onProgress: (text: string) => void) =>
      fetchRefs(mirror, args, onProgress),
    /** Fails unless the commit has a signature that the operator's git accepts. */
    verify: (commit: string) => git.verifyCommit(commit, folder),
    list: (commit: string) => listTree(mirror, commit),
    /** Lists a tree without sizes, which need the files themselves. */
    listNames: (tree: string) => listTree(mirror, tree, []),
    linkTargets: (entries: readonly TreeEntry[]) => readLinks(mirror, entries),
    /** Writes exactly these entries below a folder. */
    checkout: (entries: readonly TreeEntry[], target: string) => checkoutEntries(mirror, entries, target),
    /** Writes exactly these entries below a folder, and waits until they are on the disk. */
    write: (entries: readonly TreeEntry[], target: string) => writeEntries(mirror, entries, target),
    repack: () => repack(mirror),
  };
}

/** Fetches a branch, even after a force-push, a tag or a commit, and returns its commit. */
async function fetchRef(
  { folder, git, limits }: MirrorContext,
  ref: string,
  onProgress: (text: string) => void,
): Promise<string> {
  await fetchRefs({ folder, git, limits }, ["--depth=1", `+${ref}:${REF}`], onProgress);
  const commit = (await readFile(path.join(folder, REF), "utf8").catch(() => "")).trim();
  if (/^[0-9a-f]{40,64}$/.test(commit) && !ref.startsWith("refs/tags/")) return commit;
  // A repack has packed the ref, or it is a tag with a message.
  const parsed = await git.local(["rev-parse", "--verify", "--end-of-options", `${REF}^{commit}`], {
    folder,
  });
  return parsed.toString().trim();
}

async function fetchRefs(
  { folder, git, limits }: MirrorContext,
  args: readonly string[],
  onProgress: (text: string) => void,
): Promise<void> {
  const unwatch = watchPack(folder, limits.packBytes, () => git.stop(tooMuch(limits)));
  const options = args.filter((arg) => arg.startsWith("--"));
  const refs = args.filter((arg) => !arg.startsWith("--"));
  try {
    await git.network([...FETCH, ...options, "--", git.repo.url, ...refs], {
      folder,
      timeoutMs: limits.fetchMs,
      onProgress,
    });
  } finally {
    unwatch();
  }
}

async function listTree(
  { folder, git, limits }: MirrorContext,
  commit: string,
  options: readonly string[] = ["-l"],
): Promise<readonly TreeEntry[]> {
  let count = 0;
  const output = await git.local(["ls-tree", "-r", ...options, "-z", "--full-tree", commit], {
    folder,
    onOutput(chunk) {
      for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, at + 1)) count++;
      // A small tree can name the same folder a billion times, so reading stops at the limit.
      if (count > limits.files) throw tooManyFiles(limits);
    },
  });
  return parseTree(output);
}

/** The targets of the links among the entries, by path. */
async function readLinks(
  { folder, git }: MirrorContext,
  entries: readonly TreeEntry[],
): Promise<ReadonlyMap<string, string>> {
  const links = entries.filter(({ mode, size }) => mode === LINK_MODE && (size ?? 0) <= 4096);
  if (links.length === 0) return new Map();
  const input = Buffer.from(links.map(({ oid }) => `${oid}\n`).join(""));
  const output = await git.local(["cat-file", "--batch"], { folder, input });
  const targets = new Map<string, string>();
  let at = 0;
  for (const link of links) {
    const start = output.indexOf(0x0a, at) + 1;
    const header = output.subarray(at, start).toString();
    if (header !== `${link.oid} blob ${link.size}\n`)
      throw new SyncFailure("git-failed", `git cat-file could not read the link '${link.path}'.`);
    const end = start + (link.size ?? 0);
    targets.set(link.path, output.subarray(start, end).toString("utf8"));
    at = end + 1;
  }
  return targets;
}

async function writeEntries(
  mirror: MirrorContext,
  entries: readonly TreeEntry[],
  target: string,
): Promise<void> {
  await checkoutEntries(mirror, entries, target);
  await flush(target, entries, mirror.git.requireOpen);
}

async function checkoutEntries(
  { folder, git }: MirrorContext,
  entries: readonly TreeEntry[],
  target: string,
): Promise<void> {
  const index = `${target}.index.tmp`;
  const lines = entries.map(({ mode, oid, path: file }) => `${mode} ${oid}\t${file}\0`).join("");
  const shared = { folder, index, work: target };
  try {
    await git.local(["update-index", "-z", "--index-info"], { ...shared, input: Buffer.from(lines) });
    await git.local(["checkout-index", "--all", "--quiet"], shared);
  } finally {
    for (const file of [index, `${index}.lock`]) await rm(file, { force: true });
  }
}

/** Merges the packs into one when there are many. */
async function repack({ folder, git, limits }: MirrorContext): Promise<void> {
  const files = await readdir(path.join(folder, "objects", "pack")).catch(() => []);
  if (files.filter((name) => name.endsWith(".pack")).length < limits.packs) return;
  await git.local(["gc", "--quiet", "--prune=now"], { folder });
}

/** Creates an empty repository by hand: `git init` would copy the machine's templates, including hooks. */
async function createRepository(folder: string, isSha256: boolean): Promise<void> {
  if (existsSync(path.join(folder, "config"))) return;
  for (const part of ["objects", "refs", "info"]) await mkdir(path.join(folder, part), { recursive: true });
  await writeFile(path.join(folder, "HEAD"), `ref: ${REF}\n`);
  await writeFile(path.join(folder, "info", "attributes"), ATTRIBUTES);
  const format = isSha256 ? "1\n[extensions]\n\tobjectFormat = sha256" : "0";
  await writeFile(
    path.join(folder, "config"),
    `[core]\n\tbare = true\n\trepositoryformatversion = ${format}\n`,
  );
}

/** This process owns the lock and runs no git now, so every lock file and partial pack is left from a killed one. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const part of ["", "refs/skills", "objects/pack", "objects/info"]) {
    for (const name of await readdir(path.join(folder, part)).catch(() => [])) {
      if (name.endsWith(".lock") || name.startsWith("tmp_")) {
        await rm(path.join(folder, part, name), { recursive: true, force: true });
      }
    }
  }
}

const POLL_MS = 500;

/** Git has no limit for what it fetches, so the growing pack is polled. Returns a function that ends this. */
function watchPack(folder: string, most: number, onTooLarge: () => void): () => void {
  const packs = path.join(folder, "objects", "pack");
  async function check(): Promise<void> {
    for (const name of await readdir(packs).catch(() => [])) {
      if (!name.startsWith("tmp_pack_")) continue;
      const { size } = await stat(path.join(packs, name)).catch(() => ({ size: 0 }));
      if (size > most) onTooLarge();
    }
  }
  const timer = setInterval(() => void check(), POLL_MS).unref();
  return () => clearInterval(timer);
}

const tooMuch = ({ packBytes }: GitLimits): SyncFailure =>
  new SyncFailure(
    "too-large",
    `The repository exceeds the limit of ${Math.round(packBytes / 1024 / 1024)} MiB for a fetch. ` +
      "Keep skills in a repository of their own.",
  );

const FLUSHES_AT_ONCE = 8;

/** Keeps a power cut right after the switch from leaving a version of empty files. */
async function flush(folder: string, entries: readonly TreeEntry[], requireOpen: () => void): Promise<void> {
  const files = entries.filter(({ mode }) => mode !== LINK_MODE);
  await runQueue(files, FLUSHES_AT_ONCE, async (entry) => {
    requireOpen();
    // Windows flushes only what is open for writing.
    const handle = await open(path.join(folder, entry.path), "r+");
    try {
      const { size } = await handle.stat();
      if (size !== entry.size)
        throw new SyncFailure("git-failed", `git checkout-index did not write all of '${entry.path}'.`);
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}
