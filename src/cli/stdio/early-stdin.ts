import { PassThrough, type Readable, type Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { answerInitialize } from "../../mcp/early-initialize.ts";
import type { Offer } from "../../mcp/offer.ts";

/** Stdin from the first moment on: read and kept until a server is there to take it. */
export interface EarlyStdin {
  readonly source: Readable;
  /** Everything that was read, from the first byte. */
  readonly input: PassThrough;
  /** Answers `initialize` if it has come by now. Returns the id of what was answered. */
  introduce(offer: Offer, stdout: Writable): Promise<string | number | undefined>;
}

const NEW_LINE = 0x0a;
/** No `initialize` is longer. */
const LONGEST_LINE = 64 * 1024;

export function openEarlyStdin(source: Readable): EarlyStdin {
  const input = new PassThrough();
  const chunks: Buffer[] = [];
  let line: string | undefined;
  const peek = (chunk: Buffer): void => {
    chunks.push(chunk);
    const text = Buffer.concat(chunks);
    const end = text.indexOf(NEW_LINE);
    if (end < 0 && text.length < LONGEST_LINE) return;
    if (end >= 0) line = text.toString("utf8", 0, end);
    source.off("data", peek);
  };
  source.on("data", peek);
  source.pipe(input, { end: false });
  // Whoever takes the input learns of it as an end.
  source.on("error", () => {});
  return {
    source,
    input,
    async introduce(offer, stdout) {
      // What the client wrote before we began is read in the first turn.
      if (line === undefined) await nextTurn();
      source.off("data", peek);
      const answer = line === undefined ? undefined : answerInitialize(line, offer);
      if (answer === undefined) return undefined;
      stdout.write(answer.line);
      return answer.id;
    },
  };
}
