import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { spawnBin } from "../support/bin.ts";
import { ERAS } from "../support/client.ts";
import { createEventSink } from "../support/event-sink.ts";
import { connectInProcess } from "../support/in-process.ts";
import { createSandbox, DISK_FOLDER } from "../support/sandbox.ts";
import { ask, createServedTeam, createTeam, topic } from "../support/team-library.ts";
import { waitUntil } from "../support/wait-until.ts";

const send = (id: number, method: string, params: object): string =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
const HELLO = send(1, "initialize", {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "test", version: "1.0.0" },
});
const GET = send(2, "tools/call", { name: "get_skill", arguments: { context: "login" } });

/** A server whose exit can be seen, which a client's transport hides. */
function start(sandbox: Parameters<typeof spawnBin>[0], env: Readonly<Record<string, string>>) {
  const server = spawnBin(sandbox, ["mcp"], env);
  onTestFinished(() => void server.child.kill("SIGKILL"));
  return server;
}

/** Fails after a time that no one should have to wait for. */
const inTime = <T>(promise: Promise<T>): Promise<T> =>
  Promise.race([
    promise,
    new Promise<T>((_, reject) => {
      setTimeout(() => reject(new Error("The server did not end.")), 45_000).unref();
    }),
  ]);

describe("the end of the client", () => {
  test.each(["the end of stdin", "SIGTERM"])(
    "(%s) ends a server whose endpoint and whose remote both hang, and nothing recorded is lost",
    async (how) => {
      const { sandbox, server, url } = await createServedTeam({ "login.md": topic("login", "Login.") });
      const sink = await createEventSink({ kind: "hang" });
      server.mode = { kind: "hang" };
      const asked = server.requests.length;
      const { child, exit, stdout, stderr } = start(sandbox, {
        SKILLS_REPO: url,
        ANALYTICS_ENDPOINT: sink.url,
      });
      child.stdin.write(HELLO + GET);
      await waitUntil("the answer", () => stdout().includes('"id":2'));
      await waitUntil("git asks", () => server.requests.length > asked);
      if (how === "SIGTERM") child.kill("SIGTERM");
      else child.stdin.end();
      expect(await inTime(exit)).toEqual({ code: 0, signal: null });
      expect(stderr().match(/^\S+Z info {2}shutting down: /gm)).toHaveLength(1);
      const buffer = path.join(sandbox.home, ".skills-mcp", "analytics-buffer.jsonl");
      expect(readFileSync(buffer, "utf8")).toContain('"skill_path":"login"');
      for (const line of stdout().trim().split("\n")) expect(JSON.parse(line)).toHaveProperty("jsonrpc");
    },
  );

  test("ends a script that takes no notice of it", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const script = "scripts:\n  - file: deaf.sh\n    description: Stays\n    execution: server\n";
    sandbox.write("library/deaf.md", topic("deaf", "Deaf.", script));
    sandbox.write("library/deaf/deaf.sh", "trap '' TERM\necho begun\nwhile :; do sleep 0.1; done\n");
    const { child, exit, stdout } = start(sandbox, { SKILLS_DIR: sandbox.path("library") });
    const args = { skill_path: "deaf", file: "deaf.sh", args: {} };
    const call = { name: "run_script", arguments: args, _meta: { progressToken: 1 } };
    child.stdin.write(HELLO + send(2, "tools/call", call));
    await waitUntil("the script runs", () => stdout().includes("begun"));
    child.stdin.end();
    expect(await inTime(exit)).toEqual({ code: 0, signal: null });
  });

  test("ends a server that waits for its first clone", async () => {
    const { sandbox, server, url } = await createTeam();
    server.mode = { kind: "hang" };
    const { child, exit, stderr } = start(sandbox, { SKILLS_REPO: url });
    child.stdin.write(HELLO + GET);
    await waitUntil("git asks", () => server.requests.length > 0);
    child.stdin.end();
    expect(await inTime(exit)).toEqual({ code: 0, signal: null });
    expect(stderr()).toContain("shutting down: client disconnected");
  });

  test.each(ERAS)("of %s is the time to deliver what it used", async (era) => {
    const sandbox = createSandbox(DISK_FOLDER);
    const sink = await createEventSink();
    sandbox.write("library/login.md", topic("login", "Login."));
    const env = { SKILLS_DIR: sandbox.path("library"), ANALYTICS_ENDPOINT: sink.url };
    const connection = await connectInProcess(sandbox, { era, env });
    await ask(connection, "get_skill", { context: "login" });
    await connection.close();
    expect(sink.taken()).toHaveLength(1);
    expect(connection.log()).toContain("shutting down: client disconnected");
  });
});
