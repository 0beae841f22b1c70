import { closeSync, mkdtempSync, openSync, realpathSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { platform } from "#util";
import { Refusal } from "#util/pure";

/** A folder for one run alone. */
export interface PrivateFolder {
  readonly path: string;
  readonly home: string;
  readonly temp: string;
  /** Small files that replace the system's own in a sandbox. */
  readonly files: readonly { readonly at: string; readonly from: string }[];
  /** The copy of the script. */
  readonly script: string | undefined;
  /** The system calls that fail, open to be read once. */
  readonly seccomp: number | undefined;
  remove(): Promise<void>;
}

interface FolderContent {
  readonly script?: Uint8Array | undefined;
  readonly seccomp?: Uint8Array | undefined;
}

export function createPrivateFolder(content: FolderContent = {}): Promise<PrivateFolder> {
  return inTempFolder(async () => {
    // mkdtemp makes a folder that only its owner can enter.
    const folder = realpathSync.native(mkdtempSync(path.join(tmpdir(), "skills-mcp-run-")));
    const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 });
    try {
      const filled = await fill(folder, content);
      const close = (): void => {
        if (filled.seccomp !== undefined) closeSync(filled.seccomp);
      };
      return { path: folder, ...filled, remove: () => remove().finally(close) };
    } catch (error) {
      // The first error is the one to report.
      await remove().catch(() => {});
      throw error;
    }
  });
}

async function fill(folder: string, content: FolderContent): Promise<Omit<PrivateFolder, "path" | "remove">> {
  const home = path.join(folder, "home");
  const temp = path.join(folder, "tmp");
  const etc = path.join(folder, "etc");
  await Promise.all([home, temp, etc].map((place) => mkdir(place)));
  const files = Object.entries(systemFiles(home)).map(([name, text]) => ({
    at: `/etc/${name}`,
    from: path.join(etc, name),
    text,
  }));
  const own = async (name: keyof FolderContent): Promise<string | undefined> => {
    const bytes = content[name];
    if (bytes === undefined) return undefined;
    await writeFile(path.join(etc, name), bytes);
    return path.join(etc, name);
  };
  const [script, seccomp] = await Promise.all([
    own("script"),
    own("seccomp"),
    ...files.map(({ from, text }) => writeFile(from, text)),
  ]);
  return { home, temp, files, script, seccomp: seccomp === undefined ? undefined : openSync(seccomp, "r") };
}

/** Creates files in the temp folder. A system error becomes a refusal that says what to set. */
export async function inTempFolder<T>(make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (typeof code !== "string") throw error;
    throw new Refusal(
      `Scripts need a temp folder, and ${tmpdir()} cannot be used: ${REASONS.get(code) ?? code}. ` +
        `Fix that, or set ${platform.programs.temporaryVariable} to the absolute path of a writable folder and restart the server.`,
      { code: "library", reason: "no-temp-folder" },
      { cause: error },
    );
  }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["ENOENT", "it does not exist"],
  ["ENOTDIR", "it is not a folder"],
  ["EACCES", "it is not writable"],
  ["EPERM", "it is not writable"],
  ["EROFS", "it is not writable"],
  ["ENOSPC", "its disk is full"],
  ["EDQUOT", "its disk is full"],
]);

/** The user that the script runs as, and no other user of the machine. */
function systemFiles(home: string): Readonly<Record<string, string>> {
  const uid = process.getuid?.() ?? 65534;
  const gid = process.getgid?.() ?? 65534;
  return {
    passwd: `script:x:${uid}:${gid}::${home}:/bin/sh\nnobody:x:65534:65534::/nonexistent:/bin/false\n`,
    group: `script:x:${gid}:\nnogroup:x:65534:\n`,
    hosts: "127.0.0.1 localhost\n::1 localhost\n",
  };
}
