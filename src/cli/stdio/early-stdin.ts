import { PassThrough, type Readable } from "node:stream";

/** Stdin, read before there is a server: lines can be peeked at, and the server still gets everything. */
export interface EarlyStdin {
  readonly source: Readable;
  /** Everything that was read, from the first byte on. */
  readonly input: PassThrough;
  /** Peeks at the next line; undefined if none arrives within that time. Zero waits for one turn of the event loop. */
  nextLine(withinMs: number): Promise<string | undefined>;
  /** Stops peeking. */
  release(): void;
}

const NEW_LINE = 0x0a;
/** No message that is answered early is longer. */
const LONGEST_LINE = 64 * 1024;

export function openEarlyStdin(source: Readable): EarlyStdin {
  const input = new PassThrough();
  const lines: string[] = [];
  let incomplete: Buffer = Buffer.alloc(0);
  let released = false;
  let wake = (): void => {};

  const peek = (chunk: Buffer): void => {
    let rest = incomplete.length === 0 ? chunk : Buffer.concat([incomplete, chunk]);
    for (let end = rest.indexOf(NEW_LINE); end >= 0; end = rest.indexOf(NEW_LINE)) {
      lines.push(rest.toString("utf8", 0, end));
      rest = rest.subarray(end + 1);
    }
    incomplete = rest;
    if (incomplete.length >= LONGEST_LINE) release();
    else if (lines.length > 0) wake();
  };
  function release(): void {
    released = true;
    source.off("data", peek);
    incomplete = Buffer.alloc(0);
    wake();
  }
  source.on("data", peek);
  source.pipe(input, { end: false });
  source.on("end", release);
  // An error reaches the server as the end of its input.
  source.on("error", release);
  return {
    source,
    input,
    async nextLine(withinMs) {
      if (lines.length === 0 && !released) await woken(withinMs);
      return lines.shift();
    },
    release,
  };

  function woken(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = withinMs === 0 ? undefined : setTimeout(resolve, withinMs);
      // What the client wrote before we started is read within one turn.
      const turn = withinMs === 0 ? setImmediate(resolve) : undefined;
      wake = () => {
        clearTimeout(timer);
        clearImmediate(turn);
        resolve();
      };
    });
  }
}
