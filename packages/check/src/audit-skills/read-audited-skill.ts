import path from "node:path";
import type { SkillContent } from "#skills";
import { listSkillFiles, type SkillFile, type SkillListing, skillFileAt, skillFilePath } from "#skills";
import { type Disk, POOLED_DISK, readStartDirectly, withFileInside } from "#util";
import type { AuditedFile, AuditedSkill, FileContent, NotRead } from "../audit/audited-skill.ts";
import { contentOf } from "../audit/text/content.ts";

/** A longer text is data; what a person wrote is shorter. The beginning of it is read. */
const LONGEST_TEXT = 512 * 1024;
/** Of one skill. */
const MOST_TEXT = 16 * 1024 * 1024;

type ListedPlace = Parameters<typeof listSkillFiles>[0];

/** A skill's folder and the name of its own file. */
export interface AuditedPlace extends ListedPlace {
  readonly fileName: string;
  /** Of a skill of a library, whose folder has other skills as well: its own file and the folder of its files. */
  readonly only?: { readonly file: string; readonly folder?: string };
}

export interface ReadOptions {
  /** Given by commands: a process that serves no requests need not read through the thread pool. */
  readonly directDisk?: Disk;
}

/** Reads every file of a skill for the audit: hidden ones too, which are never served, but which an agent can open. */
export async function readAuditedSkill(
  skill: AuditedPlace,
  { directDisk }: ReadOptions = {},
): Promise<AuditedSkill> {
  const disk = directDisk ?? POOLED_DISK;
  const { files, leftOut, foreign, complete } =
    skill.only === undefined
      ? await listSkillFiles(skill, { hidden: true, disk })
      : await listOnly(skill, skill.only);
  const read: AuditedFile[] = [];
  let room = MOST_TEXT;
  for (const file of files) {
    const content = await readContent(skill, file, {
      most: Math.min(LONGEST_TEXT, room),
      direct: directDisk !== undefined,
    });
    if (content.kind === "text") room -= content.text.length;
    read.push({ path: file.names.join("/"), executable: file.executable, content });
  }
  return {
    skillFile: skill.fileName,
    files: read,
    notRead: [
      ...leftOut.map((path) => ({ path, reason: OUTSIDE })),
      ...foreign.map((path) => ({ path: `${path}/`, reason: PACKAGES })),
      ...(complete ? [] : [TOO_MANY]),
    ],
  };
}

async function listOnly(
  { fileName, realDir }: AuditedPlace,
  { file, folder }: { readonly file: string; readonly folder?: string },
): Promise<SkillListing> {
  const own = await skillFileAt([fileName], file);
  const beside = folder === undefined ? NOTHING : await listSkillFiles({ realDir: folder }, { hidden: true });
  const prefix = folder === undefined ? [] : path.relative(realDir, folder).split(path.sep);
  const files = beside.files.map((each) => ({ ...each, names: [...prefix, ...each.names] }));
  return { ...beside, files: own === undefined ? files : [own, ...files] };
}

const NOTHING: SkillListing = { files: [], unservable: undefined, leftOut: [], foreign: [], complete: true };

const TOO_MANY: NotRead = { path: ".", reason: "The folder has more files than the audit reads." };
const OUTSIDE = "This is a link that leads out of the skill's folder or nowhere, or a special file.";
const PACKAGES = "The audit does not read installed packages.";

async function readContent(
  skill: AuditedPlace,
  file: SkillFile,
  { most, direct }: { readonly most: number; readonly direct: boolean },
): Promise<FileContent> {
  const wanted = { ...skillFilePath(skill, file), hidden: true };
  try {
    const start = direct ? readStartDirectly(wanted, most) : undefined;
    if (start !== undefined) return contentOf(start.bytes, start.size);
    return await withFileInside(wanted, async ({ handle, stats }) =>
      contentOf(await readBytes(handle, Math.min(stats.size, most)), stats.size),
    );
  } catch (error) {
    return { kind: "unread", reason: error instanceof Error ? error.message : String(error) };
  }
}

async function readBytes(
  handle: Parameters<Parameters<typeof withFileInside>[1]>[0]["handle"],
  length: number,
): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** The files of a skill that was fetched and is not installed yet. */
export function auditedContent(content: SkillContent, skillFile: string): AuditedSkill {
  let room = MOST_TEXT;
  const files = Array.from(content, ([path, { bytes, isExecutable }]): AuditedFile => {
    const read = contentOf(bytes.subarray(0, Math.min(LONGEST_TEXT, room)), bytes.length);
    if (read.kind === "text") room -= read.text.length;
    return { path, executable: isExecutable, content: read };
  });
  return { skillFile, files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), notRead: [] };
}
