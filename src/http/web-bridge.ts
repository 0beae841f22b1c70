import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * A request as the SDK reads it: everything but the body, which is read under our own limit and handed over parsed.
 * It is aborted when the client goes away before its answer is whole.
 */
export function toWebRequest(request: IncomingMessage, response: ServerResponse): Request {
  const abort = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) abort.abort();
  });
  const headers = new Headers();
  const { rawHeaders } = request;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? "", rawHeaders[index + 1] ?? "");
  }
  return new Request(`http://${request.headers.host ?? "localhost"}${request.url ?? "/"}`, {
    method: request.method ?? "GET",
    headers,
    signal: abort.signal,
  });
}

/** Sends what the SDK answered. Resolves when it is sent, or the client has gone. */
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
    response.writeHead(answer.status, headers);
    await pump(answer.body, response);
    return;
  }
  const body = Buffer.from(await answer.arrayBuffer());
  headers["content-length"] = String(body.length);
  response.writeHead(answer.status, headers).end(body);
}

export function isEventStream(answer: Response): boolean {
  return answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
}

async function pump(body: ReadableStream<Uint8Array>, response: ServerResponse): Promise<void> {
  const reader = body.getReader();
  const onClose = (): void => void reader.cancel().catch(() => {});
  response.once("close", onClose);
  // A stream may be silent for long, but its client waits for the headers; a short answer goes out in one piece.
  const opened = setImmediate(() => response.flushHeaders());
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || response.destroyed) break;
      if (!response.write(value)) await drained(response);
    }
  } catch {
    // The stream was torn down on the other side: there is nothing more to send.
  } finally {
    clearImmediate(opened);
    response.off("close", onClose);
    response.end();
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off("drain", done);
      response.off("close", done);
      resolve();
    };
    response.on("drain", done);
    response.on("close", done);
  });
}
