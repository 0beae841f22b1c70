import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "../../test/support/free-port.ts";
import type { Workspace } from "../workspace.ts";
import { openConnection, rawRequest } from "./raw-client.ts";
import { listRequest } from "./requests.ts";

/** A server under load. */
export interface HttpSubject {
  readonly port: number;
  /** The tool that is called, and with what. */
  readonly tool: { readonly name: string; readonly arguments: object };
  /** Processor time spent so far, in ms. */
  processorTime(): number;
  /** Kilobytes that are resident. */
  memory(): number;
  /** Kilobytes of the heap that are still in use after a forced collection. */
  heap(): Promise<number>;
  close(): Promise<void>;
}

/** The two that are compared. */
export interface Pair {
  readonly ours: HttpSubject;
  readonly floor: HttpSubject;
}

/** In a second, as `/proc` counts them on every common system. */
const CLOCK_TICKS = 100;

const LONGEST_START_MS = 20_000;
/** The second scan, which sets up the watches, is over by then. */
const SETTLED_AFTER_MS = 1_500;

const HERE = path.dirname(fileURLToPath(import.meta.url));
const HEAP_PROBE = path.join(HERE, "heap-probe.mjs");
const BARE_SERVER = path.join(HERE, "..", "floor", "bare-http-server.mjs");

/** Starts both servers with the same skills; the floor answers with as many bytes as ours does. */
export async function startPair(workspace: Workspace, bin: string): Promise<Pair> {
  const { dir, skills } = workspace.corpus(100);
  const [skill] = skills;
  if (skill === undefined) throw new Error("There is no skill to load.");
  const ours = await startSubject(
    workspace,
    (port) => [bin, "mcp", "--transport", "http", "--port", String(port), "--skill-dir", dir],
    { name: "skill", arguments: { name: skill.name } },
  );
  const listBytes = String(await sizeOfList(ours));
  const floor = await startSubject(workspace, (port) => [BARE_SERVER, String(port), listBytes], {
    name: "constant",
    arguments: { size: skill.bytes },
  });
  await sleep(SETTLED_AFTER_MS);
  return { ours, floor };
}

export async function closePair({ ours, floor }: Pair): Promise<void> {
  await Promise.all([ours.close(), floor.close()]);
}

/** `args` are made with the port. */
export async function startSubject(
  workspace: Workspace,
  args: (port: number) => readonly string[],
  tool: HttpSubject["tool"],
): Promise<HttpSubject> {
  const port = await freePort();
  const log = process.env["BENCH_LOG"] === "1" ? "inherit" : "ignore";
  const child: ChildProcess = spawn(
    process.execPath,
    ["--expose-gc", "--import", HEAP_PROBE, ...args(port)],
    {
      cwd: workspace.project,
      env: { ...workspace.environment },
      stdio: ["ignore", "ignore", log, "ipc"],
    },
  );
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
  });
  await untilReady(port);
  return {
    port,
    tool,
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
    async heap() {
      child.send("heap");
      const [bytes] = await once(child, "message");
      return Number(bytes) / 1024;
    },
    async close() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function sizeOfList({ port }: HttpSubject): Promise<number> {
  const connection = await openConnection(port);
  const { body } = await connection.ask(listRequest());
  connection.close();
  return Buffer.byteLength(body);
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
