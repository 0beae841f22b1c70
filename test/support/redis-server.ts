import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "./free-port.ts";
import { waitUntil } from "./wait-until.ts";

/** Whether this machine has redis-server; tests that need it are skipped without, and say so. */
export const HAS_REDIS = spawnSync("redis-server", ["--version"]).status === 0;

/** A real redis-server on a port of its own, with nothing on the disk. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Stops answering, without closing a connection. */
  freeze(): void;
  thaw(): void;
  /** Ends the process, and with it everything that it knows. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Sends a command as `redis-cli` does, and answers its output. */
  cli(...args: string[]): string;
  /** Sends a command over a connection, and answers what came back: for what is asked again and again. */
  ask(command: string): Promise<string>;
  close(): Promise<void>;
}

export async function startRedis(
  options: {
    readonly args?: readonly string[];
    /** The configuration file of a sentinel, which it changes. */
    readonly sentinel?: string;
    readonly port?: number;
  } = {},
): Promise<RedisServer> {
  const { args = [], sentinel } = options;
  const port = options.port ?? (await freePort());
  const folder = mkdtempSync(path.join(tmpdir(), "redis-"));
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const own = ["--port", String(port), "--dir", folder, "--bind", "127.0.0.1"];
    const rest =
      sentinel === undefined
        ? [...own, "--save", "", "--appendonly", "no", ...args]
        : [sentinel, ...own, "--sentinel"];
    const started = spawn("redis-server", rest, { stdio: "ignore" });
    child = started;
    await waitUntil("redis listens", () => {
      if (hasEnded(started))
        throw new Error(`redis-server on port ${port} ended: ${String(started.exitCode)}`);
      return isListening(port);
    });
  }
  async function stop(): Promise<void> {
    const ended = child;
    child = undefined;
    if (ended === undefined || hasEnded(ended)) return;
    const exited = new Promise((resolve) => {
      ended.once("exit", resolve);
    });
    ended.kill("SIGKILL");
    await exited;
  }
  await start();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    freeze: () => void child?.kill("SIGSTOP"),
    thaw: () => void child?.kill("SIGCONT"),
    stop,
    start,
    cli: (...words) => spawnSync("redis-cli", ["-p", String(port), ...words], { encoding: "utf8" }).stdout,
    ask: (command) => answerAt(port, command),
    async close() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** The bytes of the answer; empty where nobody listens. */
function answerAt(port: number, command: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    let answer = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
    });
    socket.on("error", () => {});
    socket.once("close", () => resolve(answer));
    // It answers before it closes its side.
    socket.end(`${command}\r\n`);
  });
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
