import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { isRecord, Refusal } from "#util/pure";
import { bracketed } from "./host-guard.ts";

const ANSWER_WITHIN_MS = 2_000;
const MOST_TRIED = 20;

/** A refusal that also says who uses the port, and which one is free. Any other error stays as it is. */
export async function explainBusyPort(error: unknown, host: string): Promise<unknown> {
  if (!(error instanceof Refusal) || error.detail.code !== "cannot-listen") return error;
  const { port, isBusy } = error.detail;
  if (!isBusy) return error;
  // A timer of its own: fetch may wait for ever on a connection that was closed at once, and keeps no process alive.
  const tooLate = pause(ANSWER_WITHIN_MS, false);
  const [isOurs, free] = await Promise.all([
    Promise.race([isSkillsMcp(host, port), tooLate]),
    freePortAfter(port, host),
  ]);
  const address = `${bracketed(host)}:${port}`;
  const who = isOurs
    ? `skills-mcp already runs there, and clients can use http://${address}/mcp.`
    : "the port is in use.";
  const way =
    free === undefined
      ? "For any port that is free, add --port 0."
      : `For another one, add --port ${free}, or --port 0 for any that is free.`;
  return new Refusal(`Cannot listen on ${address}: ${who} ${way}`, error.detail, { cause: error });
}

async function isSkillsMcp(host: string, port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://${bracketed(host)}:${port}/healthz`, {
      redirect: "error",
    });
    const body: unknown = await response.json();
    return isRecord(body) && body["server"] === "skills-mcp";
  } catch {
    return false;
  }
}

async function freePortAfter(port: number, host: string): Promise<number | undefined> {
  for (let next = port + 1; next <= Math.min(65_535, port + MOST_TRIED); next++) {
    if (await isFree(next, host)) return next;
  }
  return undefined;
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => {
      resolve(false);
    });
    server.listen({ port, host }, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}
