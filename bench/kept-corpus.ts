import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { type WrittenSkill, writeCorpus } from "./corpus.ts";

/** Changes with what `writeCorpus` writes. */
const EDITION = 1;
/** The server caches nothing of a file that changed more recently. */
const UNCERTAIN_MS = 3_000;

/** So many skills that are written once and stay in the folder for temporary files: 100,000 take a minute. */
export function keptCorpus(count: number): {
  readonly dir: string;
  readonly skills: readonly WrittenSkill[];
} {
  const { uid } = userInfo();
  const root = path.join(realpathSync(tmpdir()), `skills-mcp-bench-corpora-${EDITION}-${uid}`);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  // Anyone may make a folder of that name first.
  if (process.platform !== "win32" && statSync(root).uid !== uid) {
    throw new Error(`${root} belongs to somebody else. Remove it, or set TMPDIR to a folder of your own.`);
  }
  const dir = path.join(root, `skills-${count}`);
  const list = `${dir}.json`;
  if (!existsSync(list)) {
    if (count >= 10_000) process.stderr.write(`Writing ${count} skills below ${root}, once …\n`);
    rmSync(dir, { recursive: true, force: true });
    const skills = JSON.stringify(writeCorpus(dir, count));
    // The list stands for a folder that is whole, so it appears whole itself.
    writeFileSync(`${list}.tmp`, skills);
    renameSync(`${list}.tmp`, list);
    // What changed just now is not cached, and the sections measure starts with a cache.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, UNCERTAIN_MS);
  }
  return { dir, skills: JSON.parse(readFileSync(list, "utf8")) as readonly WrittenSkill[] };
}
