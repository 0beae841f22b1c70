import type { ServerResponse } from "node:http";
import type { Principal } from "../auth/principal.ts";

/** The answers that stay open: they end when their client goes, its token expires or is withdrawn, or the server ends. */
export interface OpenStreams {
  add(response: ServerResponse, principal: Principal): void;
  countOf(subject: string): number;
  endOf(subjects: ReadonlySet<string>): void;
  /** Whether an answer is, or was, a stream. */
  has(response: ServerResponse): boolean;
  readonly size: number;
}

/** A timer cannot wait longer. */
const LONGEST_TIMER_MS = 2_147_483_647;

export function createOpenStreams(now: () => number = Date.now): OpenStreams {
  const streams = new Map<ServerResponse, string | undefined>();
  const ever = new WeakSet<ServerResponse>();
  return {
    add(response, { subject, expiresAt }) {
      if (response.destroyed) return;
      streams.set(response, subject);
      ever.add(response);
      const timer =
        expiresAt === undefined
          ? undefined
          : setTimeout(
              () => response.destroy(),
              Math.min(LONGEST_TIMER_MS, Math.max(0, expiresAt - now())),
            ).unref();
      response.once("close", () => {
        clearTimeout(timer);
        streams.delete(response);
      });
    },
    countOf(subject) {
      let count = 0;
      for (const owner of streams.values()) if (owner === subject) count++;
      return count;
    },
    endOf(subjects) {
      for (const [response, subject] of streams) {
        if (subject !== undefined && subjects.has(subject)) response.destroy();
      }
    },
    has: (response) => ever.has(response),
    get size() {
      return streams.size;
    },
  };
}
