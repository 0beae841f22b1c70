import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

interface SunkEvent {
  readonly type: string;
  readonly timestamp: string;
  readonly server_id: string;
  readonly event_id?: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** One request, as it arrived. */
interface SunkRequest {
  readonly key: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  readonly events: readonly SunkEvent[];
  readonly accepted: boolean;
}

/** What the endpoint does with a request. */
export type SinkMode =
  | { readonly kind: "accept" }
  /** Answers with a status, and takes nothing. */
  | { readonly kind: "status"; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** Takes the request and never answers. */
  | { readonly kind: "hang" }
  /** Takes the events, then cuts the connection instead of answering. */
  | { readonly kind: "accept-and-reset" }
  /** Cuts the connection before it takes anything. */
  | { readonly kind: "reset" };

export interface EventSink {
  readonly url: string;
  readonly host: string;
  readonly requests: () => readonly SunkRequest[];
  /** Every event that was taken, as often as it was. */
  readonly taken: () => readonly SunkEvent[];
  /** Decides for each request to come; the number is how many came before it. */
  behave(mode: (request: number, events: readonly SunkEvent[]) => SinkMode): void;
}

/** A real endpoint for usage events on the loopback interface. Closed when the test ends. */
export async function createEventSink(mode: SinkMode = { kind: "accept" }): Promise<EventSink> {
  let decide: (request: number, events: readonly SunkEvent[]) => SinkMode = () => mode;
  const requests: SunkRequest[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request).catch(() => undefined);
    // The sender was killed in the middle of it.
    if (body === undefined) return;
    const { events } = JSON.parse(body) as { readonly events: readonly SunkEvent[] };
    const chosen = decide(requests.length, events);
    const accepted = chosen.kind === "accept" || chosen.kind === "accept-and-reset";
    const key = String(request.headers["idempotency-key"]);
    requests.push({ key, headers: request.headers, body, events, accepted });
    answer(chosen, response);
  };
  const server = createServer((request, response) => void receive(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}/events`,
    host,
    requests: () => requests,
    taken: () => requests.filter(({ accepted }) => accepted).flatMap(({ events }) => events),
    behave(mode) {
      decide = mode;
    },
  };
}

function answer(mode: SinkMode, response: ServerResponse): void {
  if (mode.kind === "hang") return;
  if (mode.kind === "reset" || mode.kind === "accept-and-reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  const [status, headers] = mode.kind === "accept" ? [200, {}] : [mode.status, mode.headers ?? {}];
  response.writeHead(status, headers).end("{}");
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (!request.complete) throw new Error("the sender went away");
  return Buffer.concat(chunks).toString("utf8");
}
