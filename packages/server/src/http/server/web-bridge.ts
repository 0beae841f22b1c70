import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";

/** The headers of a client that the SDK reads, and the one that names the request in our log. */
const READ = ["content-type", "mcp-protocol-version", "mcp-method", "mcp-name", "x-request-id"] as const;

/** A request as the SDK wants it, without the body. Each further header makes it slower, and the address is not read. */
export function webRequest({ headers }: Pick<IncomingMessage, "headers">, signal?: AbortSignal): Request {
  const read: Record<string, string> = {};
  for (const name of READ) {
    const value = headers[name];
    if (value !== undefined) read[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  const init = { method: "POST", headers: read };
  return new Request("http://localhost/mcp", signal === undefined ? init : { ...init, signal });
}

/** Aborted when the client disconnects before it has the whole response. */
export function abortedWith(response: ServerResponse): AbortSignal {
  const abort = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) abort.abort();
  });
  return abort.signal;
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
