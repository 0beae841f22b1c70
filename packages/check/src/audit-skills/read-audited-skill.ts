import path from "node:path";
import type { SkillContent } from "#skills";
import { listSkillFiles, type SkillFile, type SkillListing, skillFileAt, skillFilePath } from "#skills";
import { type Disk, POOLED_DISK, readStartDirectly, withFileInside } from "#util";
import type { AuditedFile, AuditedSkill, FileContent, NotRead } from "../audit/audited-skill.ts";

/** A longer text is data; what a person wrote is shorter. The beginning of it is read. */
const LONGEST_TEXT = 1024 * 1024;
/** Of one skill. */
const MOST_TEXT = 16 * 1024 * 1024;
const HEAD_BYTES = 8 * 1024;

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
  const { files, leftOut, complete } =
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
      ...leftOut.map(outside),
      ...(await foreignFolders(skill, disk)),
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

const NOTHING: SkillListing = { files: [], unservable: undefined, leftOut: [], complete: true };

const TOO_MANY: NotRead = {
  path: ".",
  reason: "The folder has more files than the audit reads.",
  severity: "medium",
};

function outside(file: string): NotRead {
  const reason = "This is a link that leads out of the skill's folder or nowhere, or a special file.";
  return { path: file, reason, severity: "medium" };
}

/** Whatever was installed beside the skill's own files. */
async function foreignFolders({ realDir }: AuditedPlace, disk: Disk): Promise<readonly NotRead[]> {
  const stats = await disk.lstat(path.join(realDir, "node_modules"));
  if (stats?.isDirectory() !== true) return [];
  return [{ path: "node_modules/", reason: "The audit does not read installed packages.", severity: "low" }];
}

async function readContent(
  skill: AuditedPlace,
  file: SkillFile,
  { most, direct }: { readonly most: number; readonly direct: boolean },
): Promise<FileContent> {
  const wanted = { ...skillFilePath(skill, file), hidden: true };
  try {
    const start = direct ? readStartDirectly(wanted, most) : undefined;
    if (start !== undefined) return contentOf(start.bytes, start.size);
    return await withFileInside(wanted, async ({ handle, stats }) => {
      const length = Math.min(stats.size, most);
      const head = await readBytes(handle, Math.min(length, HEAD_BYTES), 0);
      if (isBinary(head)) return contentOf(head, stats.size);
      const rest = length > head.length ? await readBytes(handle, length - head.length, head.length) : EMPTY;
      const bytes = rest.length === 0 ? head : Buffer.concat([head, rest]);
      return contentOf(bytes, stats.size);
    });
  } catch (error) {
    return { kind: "unread", reason: error instanceof Error ? error.message : String(error) };
  }
}

const EMPTY = Buffer.alloc(0);

async function readBytes(
  handle: Parameters<Parameters<typeof withFileInside>[1]>[0]["handle"],
  length: number,
  from: number,
): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** What bytes are, of a file of this size. */
function contentOf(bytes: Buffer, size: number): FileContent {
  const head = bytes.subarray(0, HEAD_BYTES);
  if (isBinary(head)) return { kind: "binary", program: isProgram(head) };
  const text = isWideText(head) ? bytes.toString("utf16le") : bytes.toString("utf8");
  return { kind: "text", text, ...(size > bytes.length ? { cut: true } : {}) };
}

/** The files of a skill that was fetched and is not installed yet. */
export function auditedContent(content: SkillContent, skillFile: string): AuditedSkill {
  const files = Array.from(content, ([name, { bytes, isExecutable }]): AuditedFile => {
    const read = bytes.subarray(0, LONGEST_TEXT);
    return { path: name, executable: isExecutable, content: contentOf(read, bytes.length) };
  });
  return { skillFile, files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), notRead: [] };
}

function isBinary(head: Buffer): boolean {
  return head.includes(0) && !isWideText(head);
}

/** UTF-16 with its mark, as some editors of Windows write it. */
function isWideText(head: Buffer): boolean {
  return head[0] === 0xff && head[1] === 0xfe;
}

/** ELF, Windows, Mach-O (also of several machines), WebAssembly, and compiled Python. */
const PROGRAMS: readonly (readonly number[])[] = [
  [0x7f, 0x45, 0x4c, 0x46],
  [0x4d, 0x5a],
  [0xcf, 0xfa, 0xed, 0xfe],
  [0xce, 0xfa, 0xed, 0xfe],
  [0xca, 0xfe, 0xba, 0xbe],
  [0x00, 0x61, 0x73, 0x6d],
];

function isProgram(head: Buffer): boolean {
  const isPython = head[2] === 0x0d && head[3] === 0x0a;
  return isPython || PROGRAMS.some((magic) => magic.every((byte, at) => head[at] === byte));
}
