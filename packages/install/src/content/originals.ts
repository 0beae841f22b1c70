import { randomBytes } from "node:crypto";
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { digestOfAll, digestsOf, type FileDigests, type SkillContent } from "#skills";
import { ownFolderIn } from "#util";

/** Skills as they were installed: what a later update compares edits with. One file for each. */
export interface Originals {
  store(content: SkillContent): void;
  /** Undefined when it was never stored, or is damaged. */
  load(digests: FileDigests): Promise<SkillContent | undefined>;
  /** Loads by the digest of all files together. */
  loadDigest(digest: string): Promise<SkillContent | undefined>;
}

interface OriginalFile {
  readonly base64: string;
  readonly executable?: true;
}

/** The store that all commands of a user share. */
export function originalsOf(home: string): Originals {
  return openOriginals(path.join(ownFolderIn(home), "originals"));
}

export function openOriginals(folder: string): Originals {
  const fileOf = (digest: string): string => path.join(folder, `${digest}.json`);
  const loadDigest = async (digest: string): Promise<SkillContent | undefined> => {
    try {
      const { files } = JSON.parse(await readFile(fileOf(digest), "utf8")) as {
        readonly files: Readonly<Record<string, OriginalFile>>;
      };
      const content: SkillContent = new Map(
        Object.entries(files).map(([name, { base64, executable }]) => [
          name,
          { bytes: Buffer.from(base64, "base64"), isExecutable: executable === true },
        ]),
      );
      return digestOfAll(digestsOf(content)) === digest ? content : undefined;
    } catch {
      return undefined;
    }
  };
  return {
    store(content) {
      const files = [...content].map(([name, { bytes, isExecutable }]): [string, OriginalFile] => [
        name,
        { base64: bytes.toString("base64"), ...(isExecutable ? { executable: true } : {}) },
      ]);
      const file = fileOf(digestOfAll(digestsOf(content)));
      const part = `${file}.${randomBytes(6).toString("hex")}.tmp`;
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(part, JSON.stringify({ files: Object.fromEntries(files) }), { mode: 0o600 });
      renameSync(part, file);
    },
    load: (digests) => loadDigest(digestOfAll(digests)),
    loadDigest,
  };
}
