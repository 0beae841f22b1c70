const FIRST_SIZE = 8 * 1024;
const NEWLINE = 0x0a;
const LONGEST_LINE = 500;
/** The longest UTF-8 character has four bytes; more of a line is never shown. */
const LONGEST_LINE_BYTES = LONGEST_LINE * 4;
const LINES_PER_SECOND = 20;

/** Stores the first bytes of an output and counts the rest, so that memory stays bounded whatever a script writes. */
export function createCappedOutput(maxBytes: number) {
  // One growing buffer: a list of chunks would cost a hundred bytes for each byte that is written alone.
  let stored = Buffer.alloc(0);
  let length = 0;
  let seen = 0;

  return {
    push(chunk: Uint8Array): void {
      seen += chunk.length;
      const part = chunk.subarray(0, maxBytes - length);
      if (part.length === 0) return;
      const needed = length + part.length;
      if (needed > stored.length) {
        const grown = Buffer.alloc(Math.min(maxBytes, Math.max(needed, stored.length * 2, FIRST_SIZE)));
        stored.copy(grown, 0, 0, length);
        stored = grown;
      }
      stored.set(part, length);
      length = needed;
    },
    /** Bytes seen, stored or not. */
    seen: (): number => seen,
    /** Text of at most `maxBytes`: never half a character, and U+FFFD for what is not UTF-8. */
    read(): { readonly text: string; readonly cut: boolean } {
      const cut = seen > length;
      const text = decode(stored.subarray(0, length), cut);
      // U+FFFD takes three bytes, so replaced bytes can outgrow the cap.
      if (Buffer.byteLength(text) <= maxBytes) return { text, cut };
      return { text: decode(Buffer.from(text).subarray(0, maxBytes), true), cut: true };
    },
  };
}

/** `cut` drops a character that the end cuts through. */
const decode = (bytes: Uint8Array, cut: boolean): string =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: cut });

/** The rate limit that both outputs of a script share. */
export function createLineLimit(now: () => number): () => boolean {
  let second = Number.NEGATIVE_INFINITY;
  let given = 0;
  return () => {
    const current = now();
    if (current - second >= 1000) {
      second = current;
      given = 0;
    }
    return given++ < LINES_PER_SECOND;
  };
}

/** Passes on the lines of an output as they come, shortened and rate limited: a flood costs one search per chunk. */
export function createLineFeed(onLine: (line: string) => void, mayGive: () => boolean) {
  let started = Buffer.alloc(0);

  function give(line: Buffer): boolean {
    const text = readable(line);
    if (text === "") return true;
    if (!mayGive()) return false;
    onLine(text);
    return true;
  }

  return {
    push(chunk: Buffer): void {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
        const line = Buffer.concat([started, chunk.subarray(from, end)]);
        started = Buffer.alloc(0);
        from = give(line) ? end + 1 : chunk.lastIndexOf(NEWLINE) + 1;
      }
      const room = LONGEST_LINE_BYTES - started.length;
      if (room > 0) started = Buffer.concat([started, chunk.subarray(from, from + room)]);
    },
    /** Passes on a last line without a line end. */
    end(): void {
      give(started);
      started = Buffer.alloc(0);
    },
  };
}

function readable(line: Buffer): string {
  const text = new TextDecoder()
    .decode(line.subarray(0, LONGEST_LINE_BYTES))
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "")
    .trimEnd();
  return text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE - 1)}…` : text;
}
