import { crc32, deflateRawSync, gzipSync } from "node:zlib";

/** A zip entry, each field of which may lie. */
export interface ZipEntry {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  readonly mode?: number;
  readonly method?: number;
  readonly flags?: number;
  readonly crc?: number;
  readonly size?: number;
  readonly packedSize?: number;
  /** What the header before the content says instead. */
  readonly localName?: string;
  readonly localMethod?: number;
  /** The content of the entry with this number instead of its own. */
  readonly sharesWith?: number;
  readonly extra?: Buffer;
}

interface ZipOptions {
  readonly before?: Buffer;
  readonly after?: Buffer;
  /** How many entries the end record counts. */
  readonly count?: number;
  readonly directoryOffset?: number;
  /** Adds zip64 records with this count of entries. */
  readonly zip64Count?: number;
}

const UNIX = 3 << 8;

export function buildZip(entries: readonly ZipEntry[], options: ZipOptions = {}): Buffer {
  const parts: Buffer[] = options.before === undefined ? [] : [options.before];
  const offsets: number[] = [];
  const directory: Buffer[] = [];
  const position = (): number => parts.reduce((sum, part) => sum + part.length, 0);
  for (const entry of entries) {
    const content = Buffer.from(entry.content ?? "");
    const method = entry.method ?? 8;
    const packed = method === 8 ? deflateRawSync(content) : content;
    const fields = { ...entry, method, content, packed };
    const offset = entry.sharesWith === undefined ? position() : (offsets[entry.sharesWith] ?? 0);
    offsets.push(offset);
    if (entry.sharesWith === undefined) parts.push(localHeader(fields), packed);
    directory.push(directoryHeader(fields, offset));
  }
  const start = position();
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  parts.push(...directory);
  if (options.zip64Count !== undefined)
    parts.push(...zip64Records(position(), options.zip64Count, size, start));
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(options.count ?? entries.length, 8);
  end.writeUInt16LE(options.count ?? entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(options.directoryOffset ?? start, 16);
  return Buffer.concat([...parts, end, options.after ?? Buffer.alloc(0)]);
}

type Fields = Omit<ZipEntry, "content"> & {
  readonly method: number;
  readonly content: Buffer;
  readonly packed: Buffer;
};

function localHeader(fields: Fields): Buffer {
  const name = Buffer.from(fields.localName ?? fields.name);
  const extra = fields.extra ?? Buffer.alloc(0);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x0403_4b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(fields.flags ?? 0x800, 6);
  header.writeUInt16LE(fields.localMethod ?? fields.method, 8);
  writeSizes(header, 14, fields);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, name, extra]);
}

function directoryHeader(fields: Fields, offset: number): Buffer {
  const name = Buffer.from(fields.name);
  const extra = fields.extra ?? Buffer.alloc(0);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x0201_4b50, 0);
  header.writeUInt16LE(UNIX | 20, 4);
  header.writeUInt16LE(20, 6);
  header.writeUInt16LE(fields.flags ?? 0x800, 8);
  header.writeUInt16LE(fields.method, 10);
  writeSizes(header, 16, fields);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(((fields.mode ?? 0o100644) << 16) >>> 0, 38);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, name, extra]);
}

function writeSizes(header: Buffer, at: number, { crc, content, packed, packedSize, size }: Fields): void {
  header.writeUInt32LE(crc ?? crc32(content), at);
  header.writeUInt32LE(packedSize ?? packed.length, at + 4);
  header.writeUInt32LE(size ?? content.length, at + 8);
}

function zip64Records(at: number, count: number, size: number, start: number): readonly Buffer[] {
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x0606_4b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(start), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x0706_4b50, 0);
  locator.writeBigUInt64LE(BigInt(at), 8);
  locator.writeUInt32LE(1, 16);
  return [record, locator];
}

/** A tar entry, each field of which may lie. */
export interface TarEntry {
  readonly name: string;
  readonly content?: string | Buffer;
  readonly type?: string;
  readonly mode?: number;
  /** What the header says instead of the size. */
  readonly size?: number | string;
  readonly link?: string;
  readonly checksum?: number;
}

interface TarOptions {
  /** Leaves out the blocks of zeros at the end. */
  readonly endless?: boolean;
  readonly after?: Buffer;
}

export function buildTar(entries: readonly TarEntry[], { endless, after }: TarOptions = {}): Buffer {
  const parts = entries.flatMap((entry) => {
    const content = Buffer.from(entry.content ?? "");
    return [tarHeader(entry, content.length), content, Buffer.alloc(-content.length & 511)];
  });
  const end = Buffer.alloc(endless === true ? 0 : 1024);
  return Buffer.concat([...parts, end, after ?? Buffer.alloc(0)]);
}

export function buildTarGz(entries: readonly TarEntry[], options: TarOptions = {}): Buffer {
  return gzipSync(buildTar(entries, options));
}

function tarHeader({ name, type = "0", mode = 0o644, size, link = "", checksum }: TarEntry, length: number) {
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write(`${mode.toString(8).padStart(7, "0")}\0`, 100, "latin1");
  header.write("0000000\0".repeat(2), 108, "latin1");
  const written = typeof size === "string" ? size : (size ?? length).toString(8).padStart(11, "0");
  header.write(`${written}\0`, 124, 12, "latin1");
  header.write("00000000000\0", 136, "latin1");
  header.write(type, 156, "latin1");
  header.write(link, 157, 100);
  header.write("ustar\u000000", 257, "latin1");
  header.fill(" ", 148, 156);
  const sum = checksum ?? header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return header;
}

/** The body of an extended header. */
export function paxBody(records: Readonly<Record<string, string>>): string {
  return Object.entries(records)
    .map(([key, value]) => {
      const rest = Buffer.byteLength(` ${key}=${value}\n`);
      const length = rest + String(rest + String(rest).length).length;
      return `${length} ${key}=${value}\n`;
    })
    .join("");
}
