import { appendFile, mkdir, rename, stat } from "node:fs/promises";
import path from "node:path";

export interface RecordFileOptions {
  readonly file: string;
  /** A larger file is moved to `<name>.1.<ending>`, and so on. */
  readonly mostBytes: number;
  /** How many files there are at most, the current one included. */
  readonly files: number;
  /** Called once for a series of failures: a full disk must not end a server. */
  readonly onFailure: (error: unknown) => void;
}

/** A file of lines that several processes append to. */
export interface RecordFile {
  /** Returns at once; the line is written soon. */
  add(line: string): void;
  /** Writes what is waiting. */
  close(): Promise<void>;
}

const SOON_MS = 100;
/** On a disk that is full for hours, memory must not fill as well. */
const MOST_WAITING = 10_000;

export function openRecordFile({ file, mostBytes, files, onFailure }: RecordFileOptions): RecordFile {
  let waiting: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();
  let isFailing = false;

  async function write(lines: readonly string[]): Promise<void> {
    try {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      const size = await stat(file).then(
        (stats) => stats.size,
        () => 0,
      );
      if (size > mostBytes) await rotate(file, files);
      // One call for all: lines of several processes do not mix.
      await appendFile(file, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
      isFailing = false;
    } catch (error) {
      waiting = [...lines, ...waiting].slice(-MOST_WAITING);
      if (!isFailing) onFailure(error);
      isFailing = true;
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    last = last.then(async () => {
      const lines = waiting;
      waiting = [];
      if (lines.length > 0) await write(lines);
    });
    return last;
  }

  return {
    add(line) {
      waiting.push(line);
      if (waiting.length > MOST_WAITING) waiting.shift();
      timer ??= setTimeout(() => void flush(), SOON_MS).unref();
    },
    close: flush,
  };
}

/** `audit.jsonl` becomes `audit.1.jsonl`, which becomes `audit.2.jsonl`; the oldest is replaced. */
async function rotate(file: string, files: number): Promise<void> {
  const { dir, name, ext } = path.parse(file);
  const numbered = (at: number): string => (at === 0 ? file : path.join(dir, `${name}.${at}${ext}`));
  for (let at = files - 2; at >= 0; at--) await rename(numbered(at), numbered(at + 1)).catch(() => {});
}
