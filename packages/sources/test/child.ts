import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";
import { onTestFinished } from "vitest";
import type { Sandbox } from "../../../test/support/sandbox.ts";

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
  readonly ended: Promise<void>;
}

/** Starts a process that refreshes the sandbox's cache without end. Killed when the test ends. */
export function spawnChild(sandbox: Sandbox, script: string, url: string): Child {
  const child = spawn(process.execPath, [script, url, sandbox.path("home/.skills-mcp/content")], {
    env: { PATH: process.env["PATH"], HOME: sandbox.home },
    stdio: "ignore",
  });
  const ended = new Promise<void>((resolve) => {
    child.on("exit", () => resolve());
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return { child, ended };
}
