import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { SkillContent } from "#skills";

/** Writes the files of a skill to a new folder, directly, as they are read. */
export function writeContent(folder: string, content: SkillContent, flush: boolean): void {
  mkdirSync(folder, { recursive: true });
  const folders = new Set([...content.keys()].map((name) => path.posix.dirname(name)));
  for (const below of folders) if (below !== ".") mkdirSync(path.join(folder, below), { recursive: true });
  for (const [name, { bytes, isExecutable, isOdd }] of content) {
    if (isOdd === true) continue;
    const file = path.join(folder, name);
    writeFileSync(file, bytes, { flag: "wx", flush });
    if (isExecutable) chmodSync(file, 0o755);
  }
  // Last, so that no file is written through one of them.
  for (const [name, { linkTo }] of content)
    if (linkTo !== undefined) symlinkSync(linkTo, path.join(folder, name));
}

/** Whether a folder has exactly the files of a skill: no links, nothing left out, nothing moved away. */
export function holdsOnly(folder: string, content: SkillContent): boolean {
  let files = 0;
  const isPlain = (dir: string, prefix: string): boolean =>
    readdirSync(dir, { withFileTypes: true }).every((entry) => {
      const name = prefix + entry.name;
      if (entry.isDirectory()) return isPlain(path.join(dir, entry.name), `${name}/`);
      files++;
      return entry.isFile() && content.has(name);
    });
  try {
    return isPlain(folder, "") && files === content.size;
  } catch {
    return false;
  }
}
