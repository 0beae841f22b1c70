import { connect, type Socket } from "node:net";

interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** One connection that asks and reads as little as it must, so that the client costs less than any server. */
export interface RawConnection {
  ask(request: string): Promise<RawAnswer>;
  /** Opens a stream: every piece of it is handed over from now on. */
  listen(request: string, onText: (text: string) => void): void;
  close(): void;
}

const HEAD_END = Buffer.from("\r\n\r\n");
const LAST_CHUNK = Buffer.from("0\r\n\r\n");

export function openConnection(port: number): Promise<RawConnection> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(port, "127.0.0.1");
    socket.setNoDelay(true);
    let parts: Buffer[] = [];
    let waiting: { done: (answer: RawAnswer) => void; failed: (error: Error) => void } | undefined;
    let onText: ((text: string) => void) | undefined;
    socket.on("data", (chunk: Buffer) => {
      if (onText !== undefined) return onText(chunk.toString("latin1"));
      parts.push(chunk);
      const all = parts.length === 1 ? chunk : Buffer.concat(parts);
      parts = [all];
      if (!isWhole(all)) return undefined;
      parts = [];
      const end = all.indexOf(HEAD_END);
      const head = all.toString("latin1", 0, end);
      const { done } = waiting ?? {};
      waiting = undefined;
      done?.({ status: Number(head.slice(9, 12)), head, body: all.toString("utf8", end + 4) });
      return undefined;
    });
    const fail = (): void => waiting?.failed(new Error("The connection was closed."));
    socket.on("close", fail);
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      socket.on("error", fail);
      resolve({
        ask: (request) =>
          new Promise((done, failed) => {
            waiting = { done, failed };
            socket.write(request);
          }),
        listen(request, onPiece) {
          onText = onPiece;
          socket.write(request);
        },
        close: () => socket.destroy(),
      });
    });
  });
}

function isWhole(all: Buffer): boolean {
  const end = all.indexOf(HEAD_END);
  if (end < 0) return false;
  const head = all.toString("latin1", 0, end).toLowerCase();
  const length = /content-length: (\d+)/.exec(head);
  if (length !== null) return all.length >= end + 4 + Number(length[1]);
  if (head.includes("transfer-encoding: chunked")) return all.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
  return true;
}

export function rawRequest(
  method: "GET" | "POST" | "DELETE",
  path: string,
  headers: Readonly<Record<string, string>>,
  body = "",
): string {
  const all = {
    host: "127.0.0.1",
    accept: "application/json, text/event-stream",
    ...(method === "POST"
      ? { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }
      : {}),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}
