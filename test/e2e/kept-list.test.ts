import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { spawnBin } from "../support/bin.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

const CACHE = "home/.skills-mcp/cache";

/** What changed more shortly ago may change again within the grain of the clock, so nothing is kept of it. */
const GRAIN_MS = 2_600;

const MOST_ATTEMPTS = 10;

const MESSAGES = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/list" },
];

function start(sandbox: Sandbox) {
  const server = spawnBin(sandbox, []);
  const send = (message: object): void =>
    void server.child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  for (const message of MESSAGES) send(message);
  const answer = async (id: number): Promise<string> => {
    const find = () =>
      server
        .stdout()
        .split("\n")
        .find((line) => line.endsWith(`"id":${id}}`));
    await waitUntil(`answer ${id}`, () => find() !== undefined);
    return find() ?? "";
  };
  return { ...server, send, answer };
}

function keptFiles(sandbox: Sandbox): readonly string[] {
  try {
    // What is still being written has another name.
    return readdirSync(sandbox.path(CACHE)).filter((name) => /^answer-.*\.bin$/.test(name));
  } catch {
    return [];
  }
}

/** A server that answered before it had looked at the disk; one that was quicker is ended before it keeps what it saw. */
async function startFromKept(sandbox: Sandbox) {
  for (let attempt = 1; ; attempt++) {
    const server = start(sandbox);
    if (attempt === MOST_ATTEMPTS || (await server.answer(2)).includes("Kept Skill")) return server;
    server.child.kill("SIGKILL");
    await server.exit;
  }
}

test("a new process lists what the last one listed, and says so when that was wrong", async () => {
  const sandbox = createSandbox();
  // So many that they are hardly ever all looked at by the time a client asks.
  for (let number = 0; number < 1_000; number++) sandbox.skill(`project/.claude/skills/skill-${number}`);
  await new Promise((resolve) => setTimeout(resolve, GRAIN_MS));
  const first = start(sandbox);
  const truth = await first.answer(2);
  expect(truth).toContain("skill-100");
  await waitUntil("the list is kept", () => keptFiles(sandbox).length === 1);
  first.child.stdin.end();
  await first.exit;

  // Whoever sees the change was answered from what was kept.
  const file = sandbox.path(CACHE, keptFiles(sandbox)[0] ?? "");
  writeFileSync(file, readFileSync(file, "utf8").replaceAll("Load Skill", "Kept Skill"));
  const second = await startFromKept(sandbox);
  expect(await second.answer(2)).toBe(truth.replace("Load Skill", "Kept Skill"));
  await waitUntil("the client is told", () => second.stdout().includes("notifications/tools/list_changed"));
  second.send({ id: 3, method: "tools/list" });
  expect(await second.answer(3)).toBe(truth.replace(/"id":2}$/, '"id":3}'));

  sandbox.skill("project/.claude/skills/another");
  const third = start(sandbox);
  expect(await third.answer(2)).toContain("another");
  for (const { child, exit } of [second, third]) {
    child.stdin.end();
    await exit;
  }
});
