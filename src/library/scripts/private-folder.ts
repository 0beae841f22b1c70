import { mkdtempSync, realpathSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** A folder that one run has for itself. */
export interface PrivateFolder {
  readonly path: string;
  readonly home: string;
  readonly temp: string;
  /** Small files that stand in for the system's own in a sandbox. */
  readonly files: readonly { readonly at: string; readonly from: string }[];
  remove(): Promise<void>;
}

export async function createPrivateFolder(): Promise<PrivateFolder> {
  // mkdtemp gives a folder that only its owner can enter.
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "skills-mcp-run-")));
  const home = path.join(folder, "home");
  const temp = path.join(folder, "tmp");
  const etc = path.join(folder, "etc");
  await Promise.all([home, temp, etc].map((place) => mkdir(place)));
  const files = Object.entries(systemFiles(home)).map(([name, text]) => ({
    at: `/etc/${name}`,
    from: path.join(etc, name),
    text,
  }));
  await Promise.all(files.map(({ from, text }) => writeFile(from, text)));
  return {
    path: folder,
    home,
    temp,
    files,
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 }),
  };
}

/** Who the script runs as, and nobody else of the machine. */
function systemFiles(home: string): Readonly<Record<string, string>> {
  const uid = process.getuid?.() ?? 65534;
  const gid = process.getgid?.() ?? 65534;
  return {
    passwd: `script:x:${uid}:${gid}::${home}:/bin/sh\nnobody:x:65534:65534::/nonexistent:/bin/false\n`,
    group: `script:x:${gid}:\nnogroup:x:65534:\n`,
    hosts: "127.0.0.1 localhost\n::1 localhost\n",
  };
}
