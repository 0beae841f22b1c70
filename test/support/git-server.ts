import { spawn } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { createGunzip } from "node:zlib";
import { onTestFinished } from "vitest";

/** How the server treats the next requests. */
export type GitServerMode =
  | { readonly kind: "ok" }
  /** The first version of the protocol, in which only what a branch or tag points to can be fetched. */
  | { readonly kind: "old" }
  | { readonly kind: "auth"; readonly token: string }
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "hang" }
  | { readonly kind: "reset" }
  /** Sends so many bytes of a pack, then cuts the connection. */
  | { readonly kind: "cut"; readonly bytes: number }
  /** Sends so many bytes of a pack, then nothing more. */
  | { readonly kind: "stall"; readonly bytes: number }
  | { readonly kind: "redirect"; readonly to: string };

export interface GitServer {
  readonly url: (repository: string) => string;
  readonly origin: string;
  mode: GitServerMode;
  /** No request is answered before this is over. */
  hold: Promise<void>;
  /** Called while the git that asks is waiting for its answer. */
  onRequest: () => void;
  readonly requests: {
    readonly method: string;
    readonly url: string;
    readonly authorization: string | undefined;
  }[];
}

/** The real `git upload-pack` on loopback, serving every repository below `root`. Closed when the test ends. */
export async function startGitServer(root: string): Promise<GitServer> {
  const requests: GitServer["requests"] = [];
  const repositories: Repositories = { root, abilities: new Map() };
  const listener = createServer((request, response) => {
    const { method = "", url = "" } = request;
    requests.push({ method, url, authorization: request.headers.authorization });
    server.onRequest();
    void server.hold.then(() => answer(server.mode, repositories, request, response));
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
  const origin = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const server: GitServer = {
    origin,
    url: (repository) => `${origin}/${repository}`,
    mode: { kind: "ok" },
    hold: Promise.resolve(),
    onRequest: () => {},
    requests,
  };
  return server;
}

interface Repositories {
  readonly root: string;
  /** What the server can do, by repository: the first answer of the second version, whatever the branches are. */
  readonly abilities: Map<string, Buffer>;
}

function answer(
  mode: GitServerMode,
  repositories: Repositories,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  switch (mode.kind) {
    case "old":
      delete request.headers["git-protocol"];
      return runUploadPack(repositories, request, response);
    case "ok":
      return runUploadPack(repositories, request, response);
    case "auth": {
      const wanted = `Basic ${Buffer.from(`x-access-token:${mode.token}`).toString("base64")}`;
      if (request.headers.authorization === wanted) return runUploadPack(repositories, request, response);
      response.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
      return;
    }
    case "status":
      response
        .writeHead(mode.status, mode.status === 401 ? { "www-authenticate": 'Basic realm="git"' } : {})
        .end();
      return;
    case "hang":
      return;
    case "reset":
      request.socket.resetAndDestroy();
      return;
    case "cut":
      return runUploadPack(repositories, request, response, {
        bytes: mode.bytes,
        after: () => request.socket.destroy(),
      });
    case "stall":
      return runUploadPack(repositories, request, response, { bytes: mode.bytes, after: () => {} });
    case "redirect":
      response.writeHead(302, { location: `${mode.to}${request.url ?? ""}` }).end();
  }
}

interface Break {
  /** How much of a pack is sent before the break; lists of branches are sent whole. */
  readonly bytes: number;
  readonly after: () => void;
}

/** Without `git http-backend` between: it starts the same process, and there are thousands of requests. */
function runUploadPack(
  { root, abilities }: Repositories,
  request: IncomingMessage,
  response: ServerResponse,
  broken?: Break,
): void {
  const { repository, isList, protocol } = whatIsAsked(request);
  const asksAbilities = isList && protocol.includes("version=2");
  const known = asksAbilities ? abilities.get(repository) : undefined;
  const begin = (): void => {
    const type = `application/x-git-upload-pack-${isList ? "advertisement" : "result"}`;
    response.writeHead(200, { "content-type": type, "cache-control": "no-cache" });
    if (isList && !asksAbilities) response.write("001e# service=git-upload-pack\n0000");
  };
  if (known !== undefined) {
    begin();
    response.end(known);
    return;
  }
  const args = ["upload-pack", "--stateless-rpc", ...(isList ? ["--advertise-refs"] : [])];
  const backend = spawn("git", [...args, path.join(root, repository)], {
    env: { PATH: process.env["PATH"], GIT_CONFIG_GLOBAL: "/dev/null", GIT_PROTOCOL: protocol },
    stdio: ["pipe", "pipe", "ignore"],
  });
  backend.stdin.on("error", () => {});
  const isCompressed = request.headers["content-encoding"] === "gzip";
  (isCompressed ? request.pipe(createGunzip()) : request).pipe(backend.stdin);
  response.on("close", () => backend.kill());

  const chunks: Buffer[] = [];
  let sent = 0;
  let isPack = false;
  backend.stdout.on("data", (chunk: Buffer) => {
    if (!response.headersSent) begin();
    if (asksAbilities) chunks.push(chunk);
    // A pack begins with a section header; what comes before it is the answer about branches.
    isPack ||= chunk.includes("packfile");
    const rest = broken !== undefined && isPack ? Math.max(0, broken.bytes - sent) : Number.POSITIVE_INFINITY;
    if (isPack) sent += chunk.length;
    if (chunk.length <= rest) response.write(chunk);
    else response.write(chunk.subarray(0, rest), broken?.after);
  });
  backend.on("close", (code) => {
    if (asksAbilities && code === 0) abilities.set(repository, Buffer.concat(chunks));
    // It says nothing where there is no repository.
    if (!response.headersSent) response.writeHead(404).end();
    else if (broken === undefined || !isPack) response.end();
  });
}

function whatIsAsked({ url = "", headers }: IncomingMessage) {
  const { pathname } = new URL(url, "http://127.0.0.1");
  const [, repository = "", service = ""] =
    /^\/(.+)\/(info\/refs|git-upload-pack)$/.exec(decodeURIComponent(pathname)) ?? [];
  return { repository, isList: service === "info/refs", protocol: String(headers["git-protocol"] ?? "") };
}
