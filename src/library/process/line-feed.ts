const LONGEST_LINE = 500;
/** Four bytes make the longest character; more of a line is never shown. */
const LONGEST_LINE_BYTES = LONGEST_LINE * 4;
const LINES_PER_SECOND = 20;

/** Hands on the lines of an output as they come, shortened, and only so many a second: a flood costs one search a chunk. */
export interface LineFeed {
  push(chunk: Buffer): void;
  /** Hands on a last line that nothing ended. */
  end(): void;
}

/** The allowance that both outputs of a script share. */
export function createLineLimit(now: () => number): () => boolean {
  let second = Number.NEGATIVE_INFINITY;
  let given = 0;
  return () => {
    const current = now();
    if (current - second >= 1000) {
      second = current;
      given = 0;
    }
    if (given >= LINES_PER_SECOND) return false;
    given++;
    return true;
  };
}

export function createLineFeed(onLine: (line: string) => void, mayGive: () => boolean): LineFeed {
  let started = Buffer.alloc(0);

  function give(line: Buffer): boolean {
    const text = readable(line);
    if (text === "") return true;
    if (!mayGive()) return false;
    onLine(text);
    return true;
  }

  return {
    push(chunk) {
      let from = 0;
      for (;;) {
        const end = chunk.indexOf(10, from);
        if (end === -1) break;
        const line = Buffer.concat([started, chunk.subarray(from, end)]);
        started = Buffer.alloc(0);
        from = end + 1;
        if (!give(line)) {
          from = chunk.lastIndexOf(10) + 1;
          break;
        }
      }
      const room = LONGEST_LINE_BYTES - started.length;
      if (room > 0) started = Buffer.concat([started, chunk.subarray(from, from + room)]);
    },
    end() {
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
