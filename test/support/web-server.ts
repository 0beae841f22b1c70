import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** An answer: a body, a status, a redirect, or a function that writes what it likes. */
export type WebPage =
  | string
  | Buffer
  | { readonly json: unknown }
  | { readonly status: number }
  | { readonly redirect: string }
  | ((response: ServerResponse) => void);

export interface WebServer {
  readonly origin: string;
  /** By path. May be changed while the server runs. */
  readonly pages: Map<string, WebPage>;
  readonly requests: { readonly url: string; readonly headers: IncomingHttpHeaders }[];
}

/** A web server on loopback with these pages; everything else is 404, or with a token 401 without it. Closed when the test ends. */
export async function startWebServer(
  pages: Readonly<Record<string, WebPage>> = {},
  token?: string,
): Promise<WebServer> {
  const served = new Map(Object.entries(pages));
  const requests: WebServer["requests"] = [];
  const listener = createServer((request, response) => {
    const url = request.url ?? "";
    requests.push({ url, headers: request.headers });
    const isAdmitted = token === undefined || request.headers.authorization === `Bearer ${token}`;
    send(isAdmitted ? (served.get(url) ?? { status: 404 }) : { status: 401 }, response);
  });
  await new Promise<void>((resolve) => {
    listener.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(async () => {
    listener.closeAllConnections();
    await new Promise((resolve) => {
      listener.close(resolve);
    });
  });
  return { origin: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`, pages: served, requests };
}

function send(page: WebPage, response: ServerResponse): void {
  if (typeof page === "function") return page(response);
  if (typeof page === "string" || Buffer.isBuffer(page)) return void response.end(page);
  if ("json" in page) return void response.end(JSON.stringify(page.json));
  if ("redirect" in page) return void response.writeHead(302, { location: page.redirect }).end();
  return void response.writeHead(page.status).end("<html>an error page</html>");
}
