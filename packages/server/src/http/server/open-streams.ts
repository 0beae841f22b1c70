import type { ServerResponse } from "node:http";
import type { Principal } from "../auth/principal.ts";

/** The longest delay of a Node timer. */
const MAX_TIMER_MS = 2_147_483_647;

/** Responses that stay open: they end when the client disconnects, its token expires or is revoked, or the server ends. */
export class OpenStreams {
  readonly #subjects = new Map<ServerResponse, string | undefined>();
  readonly #ever = new WeakSet<ServerResponse>();

  add(response: ServerResponse, { subject, expiresAt }: Principal): void {
    if (response.destroyed) return;
    this.#subjects.set(response, subject);
    this.#ever.add(response);
    const expiry =
      expiresAt === undefined
        ? undefined
        : setTimeout(
            () => response.destroy(),
            Math.min(MAX_TIMER_MS, Math.max(0, expiresAt - Date.now())),
          ).unref();
    response.once("close", () => {
      clearTimeout(expiry);
      this.#subjects.delete(response);
    });
  }

  countOf(subject: string): number {
    return [...this.#subjects.values()].filter((owner) => owner === subject).length;
  }

  endOf(subjects: Pick<ReadonlySet<string>, "has">): void {
    for (const [response, subject] of this.#subjects) {
      if (subject !== undefined && subjects.has(subject)) response.destroy();
    }
  }

  /** Whether a response is, or was, a stream. */
  has(response: ServerResponse): boolean {
    return this.#ever.has(response);
  }

  get size(): number {
    return this.#subjects.size;
  }
}
