import { open } from "node:fs/promises";

const CHUNK = 64 * 1024;
const NEWLINE = 0x0a;
/** No event is this long: more without an end is garbage, and is handed on in pieces. */
const LONGEST_LINE = 1024 * 1024;

export interface Line {
  readonly text: string;
  /** Where the line begins and where the next one does, in bytes. */
  readonly start: number;
  readonly end: number;
}

/** The lines of a file from `from` to its present end, a chunk at a time. The last one may be torn. */
export async function* readLines(file: string, from = 0): AsyncGenerator<readonly Line[], void, void> {
  const handle = await open(file, "r");
  try {
    let start = from;
    let carried: Buffer = Buffer.alloc(0);
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK);
      const { bytesRead } = await handle.read(chunk, 0, CHUNK, start + carried.length);
      const bytes = Buffer.concat([carried, chunk.subarray(0, bytesRead)]);
      const lines: Line[] = [];
      let used = 0;
      for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, used)) {
        lines.push({ text: bytes.toString("utf8", used, at), start: start + used, end: start + at + 1 });
        used = at + 1;
      }
      const rest = bytes.length - used;
      if (rest > LONGEST_LINE || (bytesRead === 0 && rest > 0)) {
        lines.push({ text: bytes.toString("utf8", used), start: start + used, end: start + bytes.length });
        used = bytes.length;
      }
      if (lines.length > 0) yield lines;
      if (bytesRead === 0) return;
      start += used;
      carried = bytes.subarray(used);
    }
  } finally {
    await handle.close();
  }
}
