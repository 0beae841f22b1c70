import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { BIN, environmentOf, NODE } from "./bin.ts";
import type { AtEnd, Sandbox } from "./sandbox.ts";
import { waitUntil } from "./wait-until.ts";

/** A real `skills-mcp serve` on a port of its own. It ends when the test does. */
export async function serve(
  sandbox: Sandbox,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  atEnd?: AtEnd,
): Promise<string> {
  return (await startServer(sandbox, 0, args, env, atEnd)).url;
}

/** The same on a certain port, to be ended and started again; 0: on any that is free. */
export async function startServer(
  sandbox: Sandbox,
  port: number,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  atEnd: AtEnd = onTestFinished,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
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
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await exited;
  };
  atEnd(stop);
  let url: string | undefined;
  await waitUntil("the server listens", () => {
    if (child.exitCode !== null) throw new Error(`The server ended: ${log}`);
    url = /listening on (http:\/\/[^/\s]+)/.exec(log)?.[1];
    return url !== undefined;
  });
  return { url: url ?? "", stop };
}
