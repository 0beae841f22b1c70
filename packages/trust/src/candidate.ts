import path from "node:path";
import type { ReviewCandidate } from "#skills";
import {
  type ContentFile,
  digestOfAll,
  digestsOf,
  type FileDigests,
  isSettled,
  listSkillFiles,
  MOST_BYTES,
  MOST_FILES,
  readSkillFile,
  type SkillContent,
  type SkillFile,
} from "#skills";
import { NotOpened, readInside } from "#util";
import { Refusal } from "#util/pure";

/** The files of a skill as they are now: everything that could be served of it, and nothing else. */
export interface CandidateContent {
  readonly content: SkillContent;
  readonly files: FileDigests;
  /** Of all files. */
  readonly digest: string;
}

/** Reads the files that an approval is about. */
export async function readCandidate(candidate: ReviewCandidate): Promise<CandidateContent> {
  const content = new Map(await contentOf(candidate));
  const files = digestsOf(content);
  return { content, files, digest: digestOfAll(files) };
}

async function contentOf(candidate: ReviewCandidate): Promise<readonly (readonly [string, ContentFile])[]> {
  const name = candidate.kind === "skill" ? candidate.skill.name : candidate.path;
  try {
    if (candidate.kind === "skill") return await filesBelow(candidate.skill, "", name);
    return await libraryContent(candidate.file);
  } catch (error) {
    if (!(error instanceof NotOpened)) throw error;
    throw new Refusal(
      `'${name}' cannot be read (${error.reason}).`,
      { code: "cannot-approve", name },
      { cause: error },
    );
  }
}

/** Below the folder of an approved copy, files are named as below this one. */
export function copyName(candidate: ReviewCandidate): string {
  return candidate.kind === "skill" ? path.basename(candidate.skill.dir) || "skill" : "library";
}

/** A library skill is its text, and the folder of the same name beside it. */
async function libraryContent({
  file,
  realFile,
  resourceDir,
  filePath,
}: (ReviewCandidate & { kind: "library" })["file"]) {
  const name = path.basename(file);
  const bytes = await readInside({ root: path.dirname(realFile), file: realFile }, MOST_BYTES);
  const text = [name, { bytes, isExecutable: false }] as const;
  if (resourceDir === undefined) return [text];
  return [text, ...(await filesBelow({ realDir: resourceDir }, `${name.replace(/\.md$/, "")}/`, filePath))];
}

async function filesBelow(place: Parameters<typeof listSkillFiles>[0], prefix: string, name: string) {
  const { files, complete } = await listSkillFiles(place);
  if (!complete) throw tooLarge(name);
  const read: [string, ContentFile][] = [];
  let total = 0;
  for (const file of files) {
    const bytes = await readSkillFile(place, file);
    total += bytes.length;
    if (total > MOST_REVIEWED_BYTES) throw tooLarge(name);
    read.push([prefix + file.names.join("/"), { bytes, isExecutable: file.executable }]);
  }
  return read;
}

const MOST_REVIEWED_BYTES = 64 * 1024 * 1024;

function tooLarge(name: string): Refusal {
  return new Refusal(
    `'${name}' has more than ${MOST_FILES} files or 64 MiB, which is more than can be reviewed. Allow its source in trust.yaml, or make it smaller.`,
    { code: "cannot-approve", name },
  );
}

/** Digests of candidates, cached for as long as no file changes. */
export function createDigests(now: () => number) {
  const known = new Map<string, { readonly look: string; readonly digest: string }>();
  return {
    async of(key: string, candidate: ReviewCandidate): Promise<string> {
      const readAt = now();
      const listed = await listing(candidate);
      const look = JSON.stringify(listed.map(({ realFile, fingerprint }) => [realFile, fingerprint]));
      const cached = known.get(key);
      if (cached !== undefined && cached.look === look) return cached.digest;
      const { digest } = await readCandidate(candidate);
      if (candidate.kind === "skill" && listed.every((file) => isSettled(file, readAt)))
        known.set(key, { look, digest });
      else known.delete(key);
      return digest;
    },
  };
}

/** What a change of a candidate would change. A library skill is small, and read each time. */
async function listing(candidate: ReviewCandidate): Promise<readonly SkillFile[]> {
  return candidate.kind === "skill" ? (await listSkillFiles(candidate.skill)).files : [];
}
