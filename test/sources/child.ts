import { type ChildProcess, spawn } from "node:child_process";
import { buildSync } from "esbuild";
import { onTestFinished } from "vitest";
import type { Sandbox } from "../support/sandbox.ts";

/** Bundles the child once: starting from source would take longer than what is tested. */
export function buildChild(sandbox: Sandbox): string {
  const outfile = sandbox.path("sync-child.mjs");
  buildSync({
    entryPoints: ["test/sources/sync-child.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
  });
  return outfile;
}

/** Starts a process that works on the sandbox's cache. Killed when the test ends. */
export function spawnChild(
  sandbox: Sandbox,
  script: string,
  mode: "sync" | "read",
  url: string,
): { readonly child: ChildProcess; readonly output: () => string; readonly ended: Promise<void> } {
  const child = spawn(process.execPath, [script, mode, url, sandbox.path("home/.skills-mcp/content")], {
    env: { PATH: process.env["PATH"], HOME: sandbox.home },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  const ended = new Promise<void>((resolve) => {
    child.on("exit", () => resolve());
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return { child, output: () => output, ended };
}
