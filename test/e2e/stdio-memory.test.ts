import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { BIN, NODE } from "../support/bin.ts";
import { createSandbox } from "../support/sandbox.ts";

/** Set by `npm run check:security`: as much as a server may grow while its client does not read. */
const MOST_MB = Number(process.env["SKILLS_MCP_STDIO_MB"] ?? 0);
const REQUESTS = 20_000;

const residentMb = (pid: number): number =>
  Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

const line = (message: object): string => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;

test.skipIf(MOST_MB === 0 || process.platform !== "linux")(
  "stdio: a client that does not read its answers costs a bounded amount of memory",
  async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/long", { body: "A line of a long skill.\n".repeat(10_000) });
    const server = spawn(NODE, [BIN, "mcp"], {
      cwd: sandbox.project,
      env: { PATH: process.env["PATH"], HOME: sandbox.home },
      stdio: ["pipe", "pipe", "ignore"],
    });
    onTestFinished(() => void server.kill("SIGKILL"));
    const clientInfo = { name: "silent", version: "1" };
    const initialize = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    server.stdin.write(line({ id: 0, method: "initialize", params: initialize }));
    await once(server.stdout, "data");
    server.stdout.pause();
    const pid = server.pid ?? 0;
    const before = residentMb(pid);
    server.stdin.write(line({ method: "notifications/initialized" }));
    for (let id = 1; id <= REQUESTS; id++)
      server.stdin.write(
        line({ id, method: "tools/call", params: { name: "skill", arguments: { name: "long" } } }),
      );
    let most = 0;
    for (let round = 0; round < 50; round++) {
      await wait(100);
      most = Math.max(most, residentMb(pid) - before);
    }
    expect(most).toBeLessThan(MOST_MB);
    // It is well: it goes on once somebody reads.
    server.stdout.resume();
    await once(server.stdout, "data");
  },
  60_000,
);
