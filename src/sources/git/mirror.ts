import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { SyncFailure } from "../sync-failure.ts";
import { LINK_MODE, parseTree, type TreeEntry, tooManyFiles } from "../versions/tree-plan.ts";
import type { GitCommands } from "./git-commands.ts";
import type { GitLimits } from "./git-limits.ts";

/** A bare copy of one branch without its history. Only the owner of the lock touches it. */
export interface Mirror {
  /** Fetches the branch, whatever was there before, and returns its commit. */
  fetch(onProgress: (text: string) => void): Promise<string>;
  list(commit: string): Promise<readonly TreeEntry[]>;
  /** The targets of the links among the entries, by path. */
  linkTargets(entries: readonly TreeEntry[]): Promise<ReadonlyMap<string, string>>;
  /** Writes exactly these entries below a folder, and has them on the disk when it returns. */
  write(entries: readonly TreeEntry[], folder: string): Promise<void>;
  /** Makes one pack of many, now and then. */
  tidy(): Promise<void>;
}

const REF = "refs/skills/head";
/** No conversion, no filter: files arrive byte for byte. This file beats every `.gitattributes`. */
const ATTRIBUTES = "* -text -ident -filter !eol !working-tree-encoding\n";

/** `wanted` tells the kind of hash that the remote uses. */
export async function openMirror(
  folder: string,
  wanted: string,
  git: GitCommands,
  limits: GitLimits,
): Promise<Mirror> {
  await lay(folder, wanted.length === 64);
  await removeLeftovers(folder);

  async function fetch(onProgress: (text: string) => void): Promise<string> {
    const watch = watchPack(folder, limits.packBytes, () => git.stop(tooMuch(limits)));
    try {
      await git.network(
        [
          "fetch",
          "--progress",
          "--no-tags",
          "--no-recurse-submodules",
          "--no-write-fetch-head",
          "--depth=1",
        ].concat(["--force", "--", git.repo.url, `+refs/heads/${git.branch}:${REF}`]),
        { folder, timeoutMs: limits.fetchMs, onProgress },
      );
    } finally {
      watch.close();
    }
    const commit = (await readFile(path.join(folder, REF), "utf8").catch(() => "")).trim();
    if (/^[0-9a-f]{40,64}$/.test(commit)) return commit;
    // Packed with the others by a tidying.
    return (await git.local(["rev-parse", "--verify", "--end-of-options", REF], { folder }))
      .toString()
      .trim();
  }

  async function list(commit: string): Promise<readonly TreeEntry[]> {
    let count = 0;
    const output = await git.local(["ls-tree", "-r", "-l", "-z", "--full-tree", commit], {
      folder,
      onOutput(chunk) {
        for (let at = chunk.indexOf(0); at !== -1; at = chunk.indexOf(0, at + 1)) count++;
        // A small tree can name the same folder a billion times: it is never read to its end.
        if (count > limits.files) throw tooManyFiles(limits);
      },
    });
    return parseTree(output);
  }

  async function linkTargets(entries: readonly TreeEntry[]): Promise<ReadonlyMap<string, string>> {
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
        throw new SyncFailure("git-failed", `The link '${link.path}' could not be read by git cat-file.`);
      const end = start + (link.size ?? 0);
      targets.set(link.path, output.subarray(start, end).toString("utf8"));
      at = end + 1;
    }
    return targets;
  }

  async function write(entries: readonly TreeEntry[], target: string): Promise<void> {
    const index = `${target}.index.tmp`;
    const lines = entries.map(({ mode, oid, path: file }) => `${mode} ${oid}\t${file}\0`).join("");
    try {
      await git.local(["update-index", "-z", "--index-info"], {
        folder,
        index,
        work: target,
        input: Buffer.from(lines),
      });
      await git.local(["checkout-index", "--all", "--quiet"], { folder, index, work: target });
    } finally {
      await rm(index, { force: true });
      await rm(`${index}.lock`, { force: true });
    }
    await flush(target, entries, git.requireOpen);
  }

  async function tidy(): Promise<void> {
    const files = await readdir(path.join(folder, "objects", "pack")).catch(() => []);
    if (files.filter((name) => name.endsWith(".pack")).length < limits.packs) return;
    await git.local(["gc", "--quiet", "--prune=now"], { folder });
  }

  return { fetch, list, linkTargets, write, tidy };
}

/** Puts a new mirror in the place of a damaged one. */
export async function replaceMirror(folder: string, fresh: string): Promise<void> {
  const old = `${folder}.old.tmp`;
  await rm(old, { recursive: true, force: true });
  await rename(folder, old).catch(() => {});
  await rename(fresh, folder);
  await rm(old, { recursive: true, force: true });
}

/** Lays out an empty repository by hand: `git init` would copy the templates of the machine, hooks too. */
async function lay(folder: string, isSha256: boolean): Promise<void> {
  if (await isThere(path.join(folder, "config"))) return;
  for (const part of ["objects", "refs", "info"]) await mkdir(path.join(folder, part), { recursive: true });
  await writeFile(path.join(folder, "HEAD"), `ref: ${REF}\n`);
  await writeFile(path.join(folder, "info", "attributes"), ATTRIBUTES);
  const format = isSha256 ? "\trepositoryformatversion = 1\n[extensions]\n\tobjectFormat = sha256\n" : "";
  const plain = isSha256 ? "" : "\trepositoryformatversion = 0\n";
  await writeFile(path.join(folder, "config"), `[core]\n\tbare = true\n${plain}${format}`);
}

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

/** We own the lock and no git of ours runs, so every lock file and half a pack is of one that was killed. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const part of ["", "refs/skills", "objects/pack", "objects/info"]) {
    for (const name of await readdir(path.join(folder, part)).catch(() => [])) {
      if (name.endsWith(".lock") || name.startsWith("tmp_")) {
        await rm(path.join(folder, part, name), { recursive: true, force: true });
      }
    }
  }
}

const WATCH_MS = 500;

/** Git has no limit for what it fetches, so the growing pack is looked at. */
function watchPack(folder: string, most: number, onTooLarge: () => void): { readonly close: () => void } {
  const packs = path.join(folder, "objects", "pack");
  async function look(): Promise<void> {
    for (const name of await readdir(packs).catch(() => [])) {
      if (!name.startsWith("tmp_pack_")) continue;
      const { size } = await stat(path.join(packs, name)).catch(() => ({ size: 0 }));
      if (size > most) onTooLarge();
    }
  }
  const timer = setInterval(() => void look(), WATCH_MS);
  timer.unref();
  return { close: () => clearInterval(timer) };
}

const tooMuch = ({ packBytes }: GitLimits): SyncFailure =>
  new SyncFailure(
    "too-large",
    `The repository has more than ${Math.round(packBytes / 1024 / 1024)} MiB to fetch, which is the limit; ` +
      "keep skills in a repository of their own.",
  );

const FLUSHES_AT_ONCE = 8;

/** A power cut right after the switch must not leave a version of empty files. */
async function flush(folder: string, entries: readonly TreeEntry[], requireOpen: () => void): Promise<void> {
  const files = entries.filter(({ mode }) => mode !== LINK_MODE);
  let next = 0;
  async function work(): Promise<void> {
    for (let entry = files[next++]; entry !== undefined; entry = files[next++]) {
      requireOpen();
      const handle = await open(path.join(folder, entry.path), "r");
      try {
        const { size } = await handle.stat();
        if (size !== entry.size) {
          throw new SyncFailure(
            "git-failed",
            `The file '${entry.path}' was not written whole by git checkout-index.`,
          );
        }
        await handle.sync();
      } finally {
        await handle.close();
      }
    }
  }
  await Promise.all(Array.from({ length: FLUSHES_AT_ONCE }, work));
}
