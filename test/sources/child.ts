import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { onTestFinished } from "vitest";
import type { Sandbox } from "../support/sandbox.ts";

/** Bundles the child once: starting from source would take longer than what is tested. */
export function buildChild(sandbox: Sandbox): string {
  const outfile = sandbox.path("sync-child.mjs");
  buildSync({
    entryPoints: [fileURLToPath(new URL("./sync-child.ts", import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
  });
  return outfile;
}

interface Child {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** It has said something, or ended. */
  readonly started: Promise<void>;
  readonly ended: Promise<void>;
}

/** Starts a process that works on the sandbox's cache. Killed when the test ends. */
export function spawnChild(sandbox: Sandbox, script: string, mode: "sync" | "read", url: string): Child {
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
  const started = new Promise<void>((resolve) => {
    child.stdout.once("data", () => resolve());
    child.on("exit", () => resolve());
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return { child, output: () => output, started, ended };
}
