import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Workspace } from "./workspace.ts";

/** A client that does as little as it can, so that the time it measures is the server's. */
export interface StdioClient {
  readonly pid: number;
  request(method: string, params: object): Promise<unknown>;
  /** The handshake that begins every session. */
  initialize(clientName?: string): Promise<void>;
  /** Calls back for each notification of that name. */
  onNotification(method: string, heard: () => void): void;
  close(): Promise<void>;
  /** Ends it without waiting for what it still does. */
  kill(): Promise<void>;
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Time for a server to leave by itself once its input has ended. */
const LONGEST_GOODBYE_MS = 10_000;

type Machine = Pick<Workspace, "project" | "environment">;

/** Starts `node …args` as a server. */
export function startServer(args: readonly string[], { project, environment }: Machine): StdioClient {
  const child = spawn(process.execPath, args, {
    cwd: project,
    env: environment,
    stdio: ["pipe", "pipe", process.env["BENCH_LOG"] === "1" ? "inherit" : "ignore"],
  });
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, () => void>();
  let lastId = 0;

  let gone: Error | undefined;
  const ended = new Promise<void>((resolve) => {
    const end = (error: Error): void => {
      gone = error;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
      resolve();
    };
    child.once("error", end);
    child.once("close", (code, signal) => end(new Error(`The server ended with ${code ?? signal}.`)));
  });
  // A server that has gone says so by its end.
  child.stdin.on("error", () => {});
  onLine(child.stdout, (line) => {
    // Some servers write their log to stdout.
    if (!line.startsWith("{")) return;
    const { id, method, result, error } = JSON.parse(line) as Answer;
    if (method !== undefined) listeners.get(method)?.();
    const asked = id === undefined ? undefined : waiting.get(id);
    if (id === undefined || asked === undefined) return;
    waiting.delete(id);
    if (error === undefined) asked.resolve(result);
    else asked.reject(new Error(error.message));
  });

  const send = (message: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  const request = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (gone !== undefined) {
        reject(gone);
        return;
      }
      const id = ++lastId;
      waiting.set(id, { resolve, reject });
      send({ id, method, params });
    });
  return {
    pid: child.pid ?? 0,
    request,
    async initialize(name = "bench") {
      const clientInfo = { name, version: "1.0.0" };
      await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
      send({ method: "notifications/initialized" });
    },
    onNotification: (method, heard) => void listeners.set(method, heard),
    close: () => end(child, ended),
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Starts a server, greets it, and sees to its end whatever happens in between. */
export async function withServer<T>(
  args: readonly string[],
  workspace: Machine,
  use: (server: StdioClient) => Promise<T>,
): Promise<T> {
  const server = startServer(args, workspace);
  try {
    await server.initialize();
    return await use(server);
  } finally {
    await server.close();
  }
}

async function end(child: Child, ended: Promise<void>): Promise<void> {
  child.stdin.end();
  const timer = setTimeout(() => child.kill("SIGKILL"), LONGEST_GOODBYE_MS);
  await ended;
  clearTimeout(timer);
}

function onLine(stream: Readable, use: (line: string) => void): void {
  let parts: string[] = [];
  stream.setEncoding("utf8").on("data", (text: string) => {
    if (!text.includes("\n")) {
      parts.push(text);
      return;
    }
    const lines = (parts.join("") + text).split("\n");
    parts = [lines.pop() ?? ""];
    for (const line of lines) if (line !== "") use(line);
  });
}

/** Runs `node …args` to its end with something on its standard input, and returns what it prints. */
export async function runToEnd(
  args: readonly string[],
  { project, environment }: Machine,
  input = "",
): Promise<string> {
  const child = spawn(process.execPath, args, {
    cwd: project,
    env: environment,
    stdio: ["pipe", "pipe", "ignore"],
  });
  // Some end without reading it.
  child.stdin.on("error", () => {}).end(input);
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`node ${args.join(" ")} ended with ${code}.`));
    });
  });
  return printed;
}
