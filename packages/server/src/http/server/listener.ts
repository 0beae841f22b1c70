import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { Refusal } from "#util/pure";
import { bracketed } from "./host-guard.ts";
import type { HttpLimits } from "./options.ts";

export interface HttpServer {
  /** Without a trailing slash. */
  readonly url: string;
  /** Gives requests in progress some time to finish and ends everything else at once. May be called twice. */
  close(): Promise<void>;
}

/** Handles the requests. */
export interface Service {
  serve(request: IncomingMessage, response: ServerResponse): void;
  /** Refuses new requests and ends the streams, but not the requests in progress. */
  beginShutdown(): Promise<void>;
  /** Whether requests are in progress. */
  isBusy(): boolean;
  close(): Promise<void>;
}

/** Opens the port; when that fails, the service is closed too. */
export async function listenOn(
  { host, port }: { readonly host: string; readonly port: number },
  service: Service,
  limits: HttpLimits,
): Promise<HttpServer> {
  const server = createServer(
    {
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: limits.timeoutCheckMs,
      keepAliveTimeout: KEEP_CONNECTION_MS,
    },
    (request, response) => service.serve(request, response),
  );
  server.maxConnections = limits.connections;
  try {
    await listen(server, port, host);
  } catch (error) {
    await service.close();
    throw listenError(error, host, port);
  }
  let closing: Promise<void> | undefined;
  return {
    url: `http://${bracketed(host)}:${(server.address() as AddressInfo).port}`,
    close() {
      closing ??= drain(server, service, limits);
      return closing;
    },
  };
}

/** Longer than the minute for which most proxies keep a connection, so that the proxy closes it first. */
const KEEP_CONNECTION_MS = 65_000;

const DRAIN_POLL_MS = 20;

/** Ends streams at once, and requests in progress after `drainMs`. */
async function drain(server: Server, service: Service, { drainMs, lingerMs }: HttpLimits): Promise<void> {
  if (lingerMs === 0) server.close();
  await service.beginShutdown();
  if (lingerMs > 0) {
    await pause(lingerMs);
    // After what has just connected was accepted.
    await new Promise(setImmediate);
    server.close();
  }
  const deadline = performance.now() + drainMs;
  while (service.isBusy() && performance.now() < deadline) await pause(DRAIN_POLL_MS);
  const isCut = service.isBusy();
  await service.close();
  // Interrupted requests get an error, which must be sent before the connections are closed.
  if (isCut) await pause(DRAIN_POLL_MS);
  server.closeAllConnections();
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use. Choose another one with --port.",
  EACCES: "the system does not allow this port. Choose one above 1023 with --port.",
  EADDRNOTAVAIL: "this machine has no such address. Choose another one with --host.",
  ENOTFOUND: "there is no such host. Choose another one with --host.",
};

function listenError(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = LISTEN_ERRORS[code];
  if (reason === undefined) return error;
  return new Refusal(`Cannot listen on ${bracketed(host)}:${port}: ${reason}`, {
    code: "cannot-listen",
    port,
    isBusy: code === "EADDRINUSE",
  });
}
