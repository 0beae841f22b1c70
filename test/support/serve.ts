import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { BIN, environmentOf, NODE } from "./bin.ts";
import { freePort } from "./free-port.ts";
import type { Sandbox } from "./sandbox.ts";
import { waitUntil } from "./wait-until.ts";

/** A real `skills-mcp serve` on a port of its own. It ends when the test does. */
export async function serve(
  sandbox: Sandbox,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const port = await freePort();
  const child = spawn(NODE, [BIN, "serve", "--port", String(port), ...args], {
    cwd: sandbox.project,
    env: { ...environmentOf(sandbox), ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const exited = new Promise<void>((resolve) => {
    child.on("exit", () => resolve());
  });
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await exited;
  });
  await waitUntil("the server listens", () => {
    if (child.exitCode !== null) throw new Error(`The server ended: ${log}`);
    return log.includes("listening on");
  });
  return `http://127.0.0.1:${port}`;
}
