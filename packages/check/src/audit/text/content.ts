import type { FileContent } from "../audited-skill.ts";

/** Formats of data, by the bytes that they begin with. A file that begins like this and reads as text all the same is text. */
const DATA: readonly (readonly number[])[] = [
  ...[
    "\x89PNG",
    "\xff\xd8\xff",
    "GIF8",
    "II*\0",
    "MM\0*",
    "\0\0\x01\0",
    "RIFF",
    "%PDF-",
    "PK\x03\x04",
    "PK\x05\x06",
  ],
  ...[
    "\x1f\x8b",
    "BZh",
    "\xfd7zXZ",
    "7z\xbc\xaf",
    "Rar!",
    "\x28\xb5\x2f\xfd",
    "wOFF",
    "wOF2",
    "\0\x01\0\0",
    "OTTO",
    "ttcf",
  ],
  ...[
    "ID3",
    "OggS",
    "fLaC",
    "\x1a\x45\xdf\xa3",
    "SQLite format 3",
    "PAR1",
    "\x93NUMPY",
    "\x89HDF",
    "\0\0\0\x0cjP",
    "\xd0\xcf\x11\xe0",
  ],
  ...[
    "GGUF",
    "glTF",
    "8BPS",
    "\0\0\0\x0cJXL",
    "bplist",
    "\0\0\0\x01Bud1",
    "LZIP",
    "\xff\xfb",
    "\xff\xf3",
    "\xff\xf2",
  ],
].map((text) => Array.from(text, (char) => char.charCodeAt(0)));

/** ELF, Windows, Mach-O (also of several machines), WebAssembly. */
const PROGRAMS: readonly (readonly number[])[] = [
  "\x7fELF",
  "MZ",
  "\xcf\xfa\xed\xfe",
  "\xce\xfa\xed\xfe",
  "\xca\xfe\xba\xbe",
  "\0asm",
].map((text) => Array.from(text, (char) => char.charCodeAt(0)));

/** Control bytes do not occur in text; of compressed data they are about a tenth. */
const MOST_CONTROL = 0.05;

/**
 * What bytes are, of a file of this size. One byte makes nothing binary: shells and Node run a script with a NUL in it.
 * The share of control bytes decides, and a text is audited without its NULs.
 */
export function contentOf(bytes: Buffer, size: number): FileContent {
  const cut = size > bytes.length ? ({ cut: true } as const) : {};
  const wide = wideText(bytes);
  if (wide !== undefined) return { kind: "text", text: wide, ...cut };
  if (isMostlyText(bytes)) return { kind: "text", text: narrowText(bytes), ...cut };
  if (isProgram(bytes)) return { kind: "binary", program: true };
  if (startsWithOne(bytes, DATA) || isMedia(bytes)) return { kind: "binary", program: false };
  return { kind: "unread", reason: "it is binary data of a kind that the audit does not know" };
}

function narrowText(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return text.includes("\0") ? text.replaceAll("\0", "") : text;
}

/**
 * UTF-16 with its mark, as some editors of Windows write it. A shell reads the same bytes as they are, so both readings are
 * audited where they differ, the second one below the first.
 */
function wideText(bytes: Buffer): string | undefined {
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe;
  if (!isLittle && !(bytes[0] === 0xfe && bytes[1] === 0xff)) return undefined;
  const even = bytes.subarray(2, bytes.length - (bytes.length % 2));
  const wide = (isLittle ? even : Buffer.from(even).swap16()).toString("utf16le");
  const narrow = narrowText(bytes.subarray(2));
  return wide === narrow ? wide : `${wide}\n${narrow}`;
}

function isMostlyText(bytes: Buffer): boolean {
  let control = 0;
  for (const byte of bytes)
    if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13 && byte !== 12 && byte !== 27) control++;
  return control <= Math.max(8, bytes.length * MOST_CONTROL);
}

/** MP4, archives of tar and Windows bitmaps have their mark further behind. */
function isMedia(bytes: Buffer): boolean {
  if (bytes.subarray(0, 2).toString("latin1") === "BM" && bytes.length > 10 && bytes.readUInt32LE(6) === 0)
    return true;
  return (
    bytes.subarray(4, 8).toString("latin1") === "ftyp" ||
    bytes.subarray(257, 262).toString("latin1") === "ustar"
  );
}

function isProgram(bytes: Buffer): boolean {
  const isPython = bytes[2] === 0x0d && bytes[3] === 0x0a;
  return isPython || startsWithOne(bytes, PROGRAMS);
}

function startsWithOne(bytes: Buffer, marks: readonly (readonly number[])[]): boolean {
  return marks.some((mark) => mark.every((byte, at) => bytes[at] === byte));
}
