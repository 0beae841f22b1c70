import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { Refusal } from "../../skill/refusal.ts";
import { expandHome } from "../../system/files/home-folder.ts";
import type { Log } from "../../system/log.ts";
import type { SourceAddress } from "../address/source-address.ts";
import type { FetchedTree } from "./fetched-tree.ts";

export interface FetchOptions {
  /** A folder on the same file system as the targets; each fetch makes its own folder below it. */
  readonly stagingFolder: string;
  /** Relative folders and archives start from it. */
  readonly cwd: string;
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Log;
  /** Called now and then with what is being done, in words for a person. */
  readonly onProgress?: (text: string) => void;
  readonly signal?: AbortSignal;
  /** Instead of the address's ref: exactly this commit (for a locked install). */
  readonly commit?: string;
}

const git = promisify(execFile);

/** Brings the content of a source to a folder of its own. Throws a `Refusal`, and then leaves nothing behind. */
export async function fetchSource(address: SourceAddress, options: FetchOptions): Promise<FetchedTree> {
  const { stagingFolder, cwd, home, commit, environment } = options;
  await mkdir(stagingFolder, { recursive: true });
  const folder = await realpath(await mkdtemp(path.join(stagingFolder, "fetch-")));
  const dispose = () => rm(folder, { recursive: true, force: true });
  try {
    if (address.kind === "folder") {
      await cp(path.resolve(cwd, expandHome(address.folder, home)), folder, { recursive: true });
      return { folder, dispose };
    }
    if (address.kind !== "git") throw new Error(`no ${address.kind}`);
    const run = (...args: string[]) => git("git", args, { cwd: folder, env: environment });
    await run("init", "-q");
    await run("fetch", "-q", "--depth", "1", address.repo.url, commit ?? address.ref ?? "HEAD");
    await run("checkout", "-q", "FETCH_HEAD");
    const { stdout } = await run("rev-parse", "HEAD");
    await rm(path.join(folder, ".git"), { recursive: true });
    return { folder, commit: stdout.trim(), dispose };
  } catch (error) {
    await dispose();
    throw new Refusal(
      `The source cannot be fetched: ${String(error)}`,
      { code: "bad-usage" },
      { cause: error },
    );
  }
}

/** The newest commit or version without fetching content; undefined where the source cannot say. */
export async function newestVersion(
  address: SourceAddress,
  { environment }: FetchOptions,
): Promise<string | undefined> {
  if (address.kind !== "git") return undefined;
  const { stdout } = await git("git", ["ls-remote", address.repo.url, address.ref ?? "HEAD"], {
    env: environment,
  });
  return stdout.split("\t")[0] || undefined;
}
