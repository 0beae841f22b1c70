import type { IncomingMessage } from "node:http";
import { type Exchange, full, HttpRefusal } from "./exchange.ts";
import type { HttpLimits } from "./options.ts";

type JsonBody =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "not-json" }
  /** The client disconnected in the middle of it. */
  | { readonly kind: "cut" };

/** Reads the JSON body of a request. Throws an `HttpRefusal` if it is too large, or its sender has too many unfinished ones. */
export type BodyReader = (exchange: Pick<Exchange, "request" | "principal">) => Promise<JsonBody>;

/**
 * A body that arrives slowly takes up to its limit in memory until the request times out, so their number is limited: of
 * all callers together, and of each one that has a name.
 */
export function createBodyReader({
  bodyBytes,
  bodies,
  bodiesPerSubject,
}: Pick<HttpLimits, "bodyBytes" | "bodies" | "bodiesPerSubject">): BodyReader {
  const unfinished = new Map<string | undefined, number>();
  let total = 0;
  const enter = (subject: string | undefined): (() => void) => {
    const own = unfinished.get(subject) ?? 0;
    if (subject !== undefined && own >= bodiesPerSubject)
      throw full(`You have reached the limit of ${bodiesPerSubject} unfinished requests. Try again later.`);
    if (total >= bodies)
      throw full("The server has reached its limit of unfinished requests. Try again later.");
    unfinished.set(subject, own + 1);
    total++;
    return () => {
      total--;
      const left = (unfinished.get(subject) ?? 1) - 1;
      if (left > 0) unfinished.set(subject, left);
      else unfinished.delete(subject);
    };
  };

  return async ({ request, principal: { subject } }) => {
    const leave = enter(subject);
    try {
      const bytes = await readBytes(request, bodyBytes);
      return bytes === undefined ? { kind: "cut" } : parseJson(bytes);
    } finally {
      leave();
    }
  };
}

export function tooLarge(limit: number): HttpRefusal {
  return new HttpRefusal(413, `Body too large; the limit is ${limit} bytes.`, { connection: "close" });
}

/** Undefined when the client disconnected before the end. */
function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return Promise.reject(tooLarge(maxBytes));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      // The rest is neither buffered nor awaited.
      else reject(tooLarge(maxBytes));
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    // After `end` this has no effect: the promise is already resolved.
    request.on("close", () => resolve(undefined));
    request.on("error", () => {});
  });
}

function parseJson(bytes: Buffer): JsonBody {
  try {
    return { kind: "json", value: JSON.parse(bytes.toString("utf8")) as unknown };
  } catch {
    return { kind: "not-json" };
  }
}
