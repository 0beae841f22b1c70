import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Workspace } from "../workspace.ts";
import { openConnection, rawRequest } from "./raw-client.ts";

/** A server under load. */
export interface HttpSubject {
  readonly port: number;
  /** The body of a call, in the shape of each era. */
  call(id: number, meta?: object): { readonly name: string; readonly body: string };
  /** Processor time spent so far, in ms. */
  processorTime(): number;
  /** Kilobytes that are resident. */
  memory(): number;
  close(): Promise<void>;
}

/** In a second, as `/proc` counts them on every common system. */
const CLOCK_TICKS = 100;

const LONGEST_START_MS = 20_000;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Starts a server and waits until it is ready. `args` are made with the port. */
export async function startSubject(
  workspace: Workspace,
  args: (port: number) => readonly string[],
  tool: { readonly name: string; readonly arguments: object },
): Promise<HttpSubject> {
  const port = await freePort();
  const child: ChildProcess = spawn(process.execPath, [...args(port)], {
    cwd: workspace.project,
    env: { ...workspace.environment },
    stdio: ["ignore", "ignore", "inherit"].with(
      2,
      process.env["BENCH_LOG"] === "1" ? "inherit" : "ignore",
    ) as ["ignore", "ignore", "inherit" | "ignore"],
  });
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
  });
  await untilReady(port);
  return {
    port,
    call: (id, meta) => ({
      name: tool.name,
      body: JSON.stringify({
        jsonrpc: "2.0",
        id,
        method: "tools/call",
        params: { ...tool, ...(meta === undefined ? {} : { _meta: meta }) },
      }),
    }),
    processorTime() {
      const fields =
        readFileSync(`/proc/${child.pid ?? 0}/stat`, "utf8")
          .split(") ")[1]
          ?.split(" ") ?? [];
      return (Number(fields[11]) + Number(fields[12])) * (1_000 / CLOCK_TICKS);
    },
    memory() {
      const status = readFileSync(`/proc/${child.pid ?? 0}/status`, "utf8");
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
    },
    async close() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function untilReady(port: number): Promise<void> {
  const deadline = performance.now() + LONGEST_START_MS;
  while (performance.now() < deadline) {
    try {
      const connection = await openConnection(port);
      const { status } = await connection.ask(rawRequest("GET", "/readyz", {}));
      connection.close();
      if (status === 200) return;
    } catch {
      // Not listening yet.
    }
    await sleep(50);
  }
  throw new Error("The server did not start.");
}
