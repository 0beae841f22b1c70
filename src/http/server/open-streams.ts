import type { ServerResponse } from "node:http";
import type { Principal } from "../auth/principal.ts";

/** Responses that stay open: they end when the client disconnects, its token expires or is revoked, or the server ends. */
export interface OpenStreams {
  add(response: ServerResponse, principal: Principal): void;
  countOf(subject: string): number;
  endOf(subjects: ReadonlySet<string>): void;
  /** Whether a response is, or was, a stream. */
  has(response: ServerResponse): boolean;
  readonly size: number;
}

/** The longest delay that a timer takes. */
const MAX_TIMER_MS = 2_147_483_647;

export function createOpenStreams(): OpenStreams {
  const streams = new Map<ServerResponse, string | undefined>();
  const ever = new WeakSet<ServerResponse>();
  return {
    add(response, { subject, expiresAt }) {
      if (response.destroyed) return;
      streams.set(response, subject);
      ever.add(response);
      const validMs = expiresAt === undefined ? undefined : Math.max(0, expiresAt - Date.now());
      const expiry =
        validMs === undefined
          ? undefined
          : setTimeout(() => response.destroy(), Math.min(MAX_TIMER_MS, validMs)).unref();
      response.once("close", () => {
        clearTimeout(expiry);
        streams.delete(response);
      });
    },
    countOf: (subject) => [...streams.values()].filter((owner) => owner === subject).length,
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
