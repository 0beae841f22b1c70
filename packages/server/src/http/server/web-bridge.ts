import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";

/** What the SDK reads of a `Request` besides the body. Building a whole one takes as long as loading a skill. */
export function requestHead({
  method = "GET",
  url = "/",
  headers,
}: Pick<IncomingMessage, "method" | "url" | "headers">): Request {
  const get = (name: string): string | null => {
    const value = headers[name.toLowerCase()];
    return (Array.isArray(value) ? value.join(", ") : value) ?? null;
  };
  const head = { method, url: `http://${headers.host ?? "localhost"}${url}`, headers: { get } };
  return head as unknown as Request;
}

/** The same, and aborted when the client disconnects before it has the whole response. */
export function abortableHead(request: IncomingMessage, response: ServerResponse): Request {
  const abort = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) abort.abort();
  });
  return Object.assign(requestHead(request), { signal: abort.signal });
}

/** Sends a response of the SDK. Resolves when it is sent, or the client disconnected. */
export async function sendWebResponse(answer: Response, response: ServerResponse): Promise<void> {
  if (response.destroyed) {
    await answer.body?.cancel();
    return;
  }
  const headers: Record<string, string> = {};
  for (const [name, value] of answer.headers) if (name !== "connection") headers[name] = value;
  if (answer.body === null) {
    response.writeHead(answer.status, headers).end();
    return;
  }
  if (isEventStream(answer)) {
    // The client waits for the headers, even if no event follows for a while.
    response.writeHead(answer.status, headers).flushHeaders();
    return pump(answer.body, response);
  }
  const text = await answer.text();
  headers["content-length"] = String(Buffer.byteLength(text));
  response.writeHead(answer.status, headers).end(text);
}

export function isEventStream(answer: Response): boolean {
  return answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
}

async function pump(body: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  const reader = body.getReader();
  const closed = new AbortController();
  response.once("close", () => {
    closed.abort();
    reader.cancel().catch(() => {});
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || response.destroyed) break;
      if (!response.write(value)) await once(response, "drain", { signal: closed.signal });
    }
  } catch {
    // The client disconnected, or the SDK tore the stream down: there is nothing more to send.
  }
  response.end();
}
