import { PassThrough, type Readable } from "node:stream";

/** Stdin from the first moment on: read and kept until a server is there to take it. */
export interface EarlyStdin {
  readonly source: Readable;
  /** Everything that was read, from the first byte. */
  readonly input: PassThrough;
  /** The next line, looked at and not taken; undefined when none comes in so many milliseconds. Zero is one turn. */
  nextLine(withinMs: number): Promise<string | undefined>;
  /** No more lines are looked at. */
  release(): void;
}

const NEW_LINE = 0x0a;
/** Nothing that is answered early is longer. */
const LONGEST_LINE = 64 * 1024;

export function openEarlyStdin(source: Readable): EarlyStdin {
  const input = new PassThrough();
  const lines: string[] = [];
  let begun: Buffer = Buffer.alloc(0);
  let isOver = false;
  let wake = (): void => {};

  const peek = (chunk: Buffer): void => {
    let rest = begun.length === 0 ? chunk : Buffer.concat([begun, chunk]);
    for (let end = rest.indexOf(NEW_LINE); end >= 0; end = rest.indexOf(NEW_LINE)) {
      lines.push(rest.toString("utf8", 0, end));
      rest = rest.subarray(end + 1);
    }
    begun = rest;
    if (begun.length >= LONGEST_LINE) release();
    else if (lines.length > 0) wake();
  };
  function release(): void {
    isOver = true;
    source.off("data", peek);
    begun = Buffer.alloc(0);
    wake();
  }
  source.on("data", peek);
  source.pipe(input, { end: false });
  source.on("end", release);
  // Whoever takes the input learns of it as an end.
  source.on("error", release);
  return {
    source,
    input,
    async nextLine(withinMs) {
      if (lines.length === 0 && !isOver) await woken(withinMs);
      return lines.shift();
    },
    release,
  };

  function woken(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      // What the client wrote before we began is read in the first turn.
      const timer = withinMs === 0 ? undefined : setTimeout(resolve, withinMs);
      const turn = withinMs === 0 ? setImmediate(resolve) : undefined;
      wake = () => {
        clearTimeout(timer);
        clearImmediate(turn);
        resolve();
      };
    });
  }
}
