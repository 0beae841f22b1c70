import { defined } from "#util/pure";
import type { FetchLimits } from "../fetch/limits.ts";
import type { ArchiveFile } from "./archive-entry.ts";
import { ArchiveProblem, checkSize, shownName, tooLarge } from "./archive-problem.ts";
import { createNameRegister } from "./entry-names.ts";

/*
 * A reader of our own: general ones take unknown kinds of entries for files, stop silently at the end mark and hold
 * extended headers of any size in memory, all of which must be refused here.
 */

const BLOCK = 512;
/** Extended headers hold a path and some numbers. */
const LONGEST_EXTENSION = 64 * 1024;

/** What the headers before an entry say about it instead of its own. */
interface Override {
  path?: string;
  size?: number;
}

interface Header {
  readonly name: string;
  readonly size: number;
  readonly mode: number;
  readonly type: string;
}

/** Reads the entries of an uncompressed tar archive: ustar, pax and GNU's long names. Throws an `ArchiveProblem`. */
export function readTar(tar: Buffer, limits: FetchLimits): readonly ArchiveFile[] {
  const names = createNameRegister(limits);
  const files: ArchiveFile[] = [];
  let total = 0;
  let override: Override = {};
  let at = 0;
  for (;;) {
    if (at + BLOCK > tar.length) throw broken("is truncated: its end mark is missing");
    const block = tar.subarray(at, at + BLOCK);
    if (isZero(block)) break;
    const header = parseHeader(block);
    const isExtension = /^[xgL]$/.test(header.type);
    const size = isExtension ? header.size : (override.size ?? header.size);
    const body = tar.subarray(at + BLOCK, at + BLOCK + size);
    if (body.length < size) throw broken(`is truncated in its entry ${shownName(header.name)}`);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    if (isExtension) {
      Object.assign(override, readExtension(header, body));
      continue;
    }
    const path = plainPath(override.path ?? header.name);
    override = {};
    checkType(header.type, path, size);
    // The folder that was packed: `tar -C folder .` begins with it.
    if (path === "" && header.type === "5") continue;
    if (header.type === "5") {
      names.addFolder(path);
      continue;
    }
    names.addFile(path);
    total += checkSize(path, size, limits);
    if (total > limits.totalBytes) throw tooLarge(limits);
    files.push({ path, size, isExecutable: (header.mode & 0o100) !== 0, read: () => body });
  }
  if (!isZero(tar.subarray(at))) throw broken("has data after its end mark");
  return files;
}

const TYPES: Readonly<Record<string, string>> = {
  "1": "a hard link",
  "2": "a symbolic link",
  "3": "a device",
  "4": "a device",
  "6": "a FIFO",
  S: "a sparse file",
};

function checkType(type: string, path: string, size: number): void {
  if (type !== "0" && type !== "\0" && type !== "5") {
    const kind = TYPES[type] ?? `of the unknown type ${shownName(type)}`;
    throw new ArchiveProblem("unsafe", `is refused because its entry ${shownName(path)} is ${kind}`);
  }
  if (type === "5" && size !== 0) throw broken(`has a folder with content, ${shownName(path)}`);
}

/** `./a/` and `a` are the same entry. */
const plainPath = (name: string): string =>
  name
    .replace(/^(?:\.\/)+/, "")
    .replace(/\/+$/, "")
    .replace(/^\.$/, "");

function parseHeader(block: Buffer): Header {
  const name = textIn(block, 0, 100);
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 0x20 : byte), 0);
  if (sum !== octalIn(block, 148, 8, name)) throw broken(`has a damaged header at ${shownName(name)}`);
  // GNU's own format has times where ustar has the start of the path.
  const isUstar = block.toString("latin1", 257, 263) === "ustar\0";
  const prefix = isUstar ? textIn(block, 345, 155) : "";
  return {
    name: prefix === "" ? name : `${prefix}/${name}`,
    mode: octalIn(block, 100, 8, name),
    size: octalIn(block, 124, 12, name),
    type: String.fromCharCode(block[156] ?? 0),
  };
}

function textIn(block: Buffer, start: number, length: number): string {
  const field = block.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.toString("utf8", 0, end === -1 ? length : end);
}

/** Numbers beyond octal digits are for files that are larger than any limit. */
function octalIn(block: Buffer, start: number, length: number, name: string): number {
  const text = block
    .toString("latin1", start, start + length)
    .replace(/[\0 ]+$/, "")
    .trimStart();
  if (!/^[0-7]*$/.test(text)) throw broken(`has a number that cannot be read at ${shownName(name)}`);
  return text === "" ? 0 : Number.parseInt(text, 8);
}

function readExtension({ type, name, size }: Header, body: Buffer): Override {
  if (size > LONGEST_EXTENSION) throw broken(`has an extended header of ${size} bytes at ${shownName(name)}`);
  if (type === "L") return { path: body.toString("utf8").replace(/\0+$/, "") };
  const records = readPax(body, name);
  if ([...records.keys()].some((key) => key.startsWith("GNU.sparse")))
    throw new ArchiveProblem("unsafe", `is refused because its entry ${shownName(name)} is a sparse file`);
  // A global header with a name or size would apply to every entry; git writes one with a comment.
  if (type === "g") {
    if (records.has("path") || records.has("size"))
      throw broken("has a global header that renames its entries");
    return {};
  }
  const path = records.get("path");
  const length = records.get("size");
  if (length !== undefined && !/^\d{1,12}$/.test(length))
    throw broken(`has a bad size at ${shownName(name)}`);
  return {
    ...defined({ path }),
    ...(length === undefined ? {} : { size: Number(length) }),
  };
}

/** Records of the form `<length> <key>=<value>\n`. */
function readPax(body: Buffer, name: string): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at);
    const digits = space === -1 ? "" : body.toString("latin1", at, space);
    const end = at + Number(digits);
    if (!/^\d{1,6}$/.test(digits) || end > body.length || end <= space || body[end - 1] !== 0x0a)
      throw broken(`has an extended header that cannot be read at ${shownName(name)}`);
    const record = body.toString("utf8", space + 1, end - 1);
    const equals = record.indexOf("=");
    records.set(record.slice(0, equals), record.slice(equals + 1));
    at = end;
  }
  return records;
}

const isZero = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);

const broken = (message: string): ArchiveProblem => new ArchiveProblem("broken", message);
