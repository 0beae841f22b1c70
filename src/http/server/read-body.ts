import type { IncomingMessage } from "node:http";

export type Body =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "too-large" }
  | { readonly kind: "not-json" }
  /** The client went away in the middle of it. */
  | { readonly kind: "cut" };

/** Reads a body of JSON, and never more of it than is allowed. */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Body> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes)
    return Promise.resolve({ kind: "too-large" });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      // What is too long is neither kept nor waited for.
      else resolve({ kind: "too-large" });
    });
    request.on("end", () => resolve(parse(chunks)));
    // A request that was read to its end closes too, but then this comes too late to matter.
    request.on("close", () => resolve({ kind: "cut" }));
    request.on("error", () => {});
  });
}

function parse(chunks: readonly Buffer[]): Body {
  const [first] = chunks;
  const bytes = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
  try {
    return { kind: "json", value: JSON.parse(bytes.toString("utf8")) as unknown };
  } catch {
    return { kind: "not-json" };
  }
}
