// Starts a server over HTTP for a check, on any free port, with an empty home folder.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { root } from "./bootstrap.mjs";

/** `cli` is the program; the built one unless given. */
export async function startHttpServer(args, env = {}, cli = path.join(root, "dist", "cli.js")) {
  const home = mkdtempSync(path.join(tmpdir(), "skills-mcp-check-"));
  const port = await freePort();
  const command = [cli, ...args, "--port", String(port)];
  const child = spawn(process.execPath, command, {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, USERPROFILE: home, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    log += text;
  });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const origin = `http://127.0.0.1:${port}`;
  for (let attempt = 0; !(await isUp(origin)); attempt++) {
    if (attempt > 200 || child.exitCode !== null) throw new Error(`The server did not start:\n${log}`);
    await pause(50);
  }
  return {
    url: `${origin}/mcp`,
    async close() {
      child.kill("SIGTERM");
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function isUp(origin) {
  const response = await fetch(`${origin}/healthz`).catch(() => undefined);
  return response?.ok === true;
}

export function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
