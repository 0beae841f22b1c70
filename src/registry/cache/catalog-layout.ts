/**
 * How a root is kept in a file. After the magic line, a header of 32-bit numbers and a checksum over the rest come tables
 * of numbers, which are used where they lie, and two texts of which every string is a piece: one for strings whose
 * characters take a byte, one for the others.
 */
export const MAGIC_BYTES = 64;
/** What a file begins with; one of another version of the product is none of ours. */
export function magicLine(version: string): string {
  return `${`skills-mcp catalog 1 ${version}`.padEnd(MAGIC_BYTES - 1).slice(0, MAGIC_BYTES - 1)}\n`;
}

/** Tells a file of a machine with another byte order. */
export const BYTE_ORDER_MARK = 0x0102_0304;

/** The places of the header. */
export const HEADER = {
  byteOrder: 0,
  checksum: 1,
  folders: 2,
  files: 3,
  strings: 4,
  narrowBytes: 5,
  wideBytes: 6,
  starts: 7,
} as const;
export const HEADER_NUMBERS = 16;
export const TABLES_START = MAGIC_BYTES + HEADER_NUMBERS * 4;

/** Name, number of folders, number of files, entries, more (a string plus one), digest of the names. */
export const FOLDER_NUMBERS = 6;
/** Name, flags, two strings of the head. */
export const FILE_NUMBERS = 4;
/** Start and length in its text. */
export const STRING_NUMBERS = 2;
export const WIDE = 0x8000_0000;

export const FILE_FLAGS = { isLink: 1, companionFolder: 2, companionLink: 4, hasHead: 8 } as const;

/** Where each table begins, and where all of it ends. */
export function placesOf(counts: {
  readonly folders: number;
  readonly files: number;
  readonly strings: number;
  readonly narrowBytes: number;
  readonly wideBytes: number;
}) {
  const identities = TABLES_START;
  const folders = identities + (counts.folders + counts.files) * 8;
  const files = folders + counts.folders * FOLDER_NUMBERS * 4;
  const strings = files + counts.files * FILE_NUMBERS * 4;
  const wide = strings + counts.strings * STRING_NUMBERS * 4;
  const narrow = wide + counts.wideBytes;
  return { identities, folders, files, strings, wide, narrow, end: narrow + counts.narrowBytes };
}

/** The file may be this large; a hundred thousand skills take a third of it. */
export const LARGEST_CATALOG_FILE = 128 * 1024 * 1024;
