import { createHash } from "node:crypto";
import { parseLine } from "../record/event-file.ts";

/** The idempotency key of a batch: the same for the same events in the same order, whichever process sends them. */
export function batchKey(lines: readonly string[]): string {
  return createHash("sha256").update(lines.join("\n")).digest("hex").slice(0, 32);
}

export interface BatcherOptions {
  readonly maxEvents: number;
  readonly maxBytes: number;
  /** The last line of a failed batch: a batch ends there again, so that a retry has the same key. */
  readonly cutAfter: string | undefined;
}

/** Puts lines into batches, each event once, however many files contain it. */
export function createBatcher({ maxEvents, maxBytes, cutAfter }: BatcherOptions) {
  const seen = new Set<string>();
  let lines: string[] = [];
  let bytes = 0;
  return {
    add(line: string): "added" | "repeated" | "garbage" {
      const { type, event_id: id } = parseLine(line) ?? {};
      if (typeof type !== "string") return "garbage";
      // Lines of older versions have no id.
      if (typeof id === "string") {
        if (seen.has(id)) return "repeated";
        seen.add(id);
      }
      lines.push(line);
      bytes += line.length;
      return "added";
    },
    /** True when nothing more fits into one request. */
    isFull: (): boolean =>
      lines.length >= maxEvents || bytes >= maxBytes || (lines.length > 0 && lines.at(-1) === cutAfter),
    /** Returns the lines so far; the next batch begins empty. */
    take(): readonly string[] {
      const taken = lines;
      lines = [];
      bytes = 0;
      return taken;
    },
  };
}
