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
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        request.off("data", onData);
        chunks.length = 0;
        resolve({ kind: "too-large" });
      } else chunks.push(chunk);
    };
    request.on("data", onData);
    request.once("end", () => resolve(parse(chunks)));
    request.once("error", () => resolve({ kind: "cut" }));
    request.once("close", () => resolve({ kind: "cut" }));
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
