import { createHash } from "node:crypto";
import { parseEventLine } from "../record/event-line.ts";

/** The events of one request. */
export interface Batch {
  readonly lines: readonly string[];
  /** The same for the same events in the same order, whichever process sends them, and how often. */
  readonly key: string;
}

export function batchOf(lines: readonly string[]): Batch {
  return { lines, key: createHash("sha256").update(lines.join("\n")).digest("hex").slice(0, 32) };
}

export interface Batcher {
  /** Takes a line. Says what became of it. */
  add(line: string): "added" | "repeated" | "expired" | "garbage";
  /** True when nothing more fits into one request. */
  isFull(): boolean;
  /** The lines so far; the next batch begins empty. */
  take(): readonly string[];
}

export interface BatcherOptions {
  readonly maxEvents: number;
  readonly maxBytes: number;
  /** Events before this time are no longer wanted. */
  readonly oldest: number;
  /** The last line of a batch that failed: a batch ends there again, so that a retry has the same key. */
  readonly cutAfter: string | undefined;
}

/** Puts lines into batches: each event once, whatever number of files hold it. */
export function createBatcher({ maxEvents, maxBytes, oldest, cutAfter }: BatcherOptions): Batcher {
  const seen = new Set<string>();
  let lines: string[] = [];
  let bytes = 0;
  return {
    add(line) {
      const event = parseEventLine(line);
      if (event === undefined) return "garbage";
      if (event.time !== undefined && event.time < oldest) return "expired";
      if (event.id !== undefined) {
        if (seen.has(event.id)) return "repeated";
        seen.add(event.id);
      }
      lines.push(line);
      bytes += line.length;
      return "added";
    },
    isFull: () =>
      lines.length >= maxEvents || bytes >= maxBytes || (lines.length > 0 && lines.at(-1) === cutAfter),
    take() {
      const taken = lines;
      lines = [];
      bytes = 0;
      return taken;
    },
  };
}
