import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdirSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { BIN, environmentOf, NODE } from "../support/bin.ts";
import { freePort } from "../support/free-port.ts";
import { startInProcess } from "../support/in-process.ts";
import { HAS_REDIS, type RedisServer, startRedis } from "../support/redis-server.ts";
import { createSandbox, type Sandbox, skillText } from "../support/sandbox.ts";
import { createLocalTeam } from "../support/team-library.ts";
import { waitUntil } from "../support/wait-until.ts";

interface Replica {
  readonly url: string;
  readonly log: () => string;
}

interface Ready {
  readonly redis?: string;
  readonly revisions?: string;
  readonly fleet?: { readonly revision: string; readonly replicas: readonly unknown[] };
  readonly git?: readonly { readonly commit?: string }[];
}

async function ownRedis(): Promise<RedisServer> {
  const redis = await startRedis();
  onTestFinished(() => redis.close());
  return redis;
}

/** A replica in this process, beside those that are processes of their own. */
async function joinFleet(sandbox: Sandbox, env: Readonly<Record<string, string>>): Promise<Replica> {
  const { url, stderr } = await startInProcess(sandbox, ["mcp", "--transport", "http"], env);
  return { url, log: stderr };
}

/** A real server, with a home folder of its own. */
async function startReplica(
  sandbox: Sandbox,
  name: string,
  env: Readonly<Record<string, string>>,
): Promise<Replica & { readonly child: ChildProcess }> {
  const port = await freePort();
  const home = sandbox.path(`home-${name}`);
  mkdirSync(home, { recursive: true });
  const child = spawn(NODE, [BIN, "mcp", "--transport", "http", "--port", String(port)], {
    cwd: sandbox.project,
    env: { ...environmentOf({ home }), ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await waitUntil("the replica listens", () => log.includes("listening on"), 60_000);
  return { url: `http://127.0.0.1:${port}`, child, log: () => log };
}

async function ready({ url }: Replica): Promise<Ready> {
  return (await (await fetch(`${url}/readyz`)).json()) as Ready;
}

/** A client of the older era that sends every request to the next replica, as a balancer would. */
async function openClient(replicas: () => readonly Replica[], index: number) {
  let turn = index;
  let id = 0;
  let session = "";
  const next = (): Replica => replicas()[turn++ % replicas().length] as Replica;
  const send = async (method: string, params: object = {}, isRequest = true): Promise<string> => {
    const answer = await fetch(`${next().url}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(session === "" ? {} : { "mcp-session-id": session }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...(isRequest ? { id: ++id } : {}), method, params }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method}: ${answer.status} ${text}`);
    session = answer.headers.get("mcp-session-id") ?? session;
    return text;
  };
  const clientInfo = { name: `client-${index}`, version: "1" };
  await send("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  await send("notifications/initialized", {}, false);
  return { send, next, session: () => session };
}

type FleetClient = Awaited<ReturnType<typeof openClient>>;

/** A stream for notifications that is opened again when it breaks, as clients do. */
function keepListening(client: FleetClient) {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  let text = "";
  let opened = 0;
  let isOpen = false;
  void (async () => {
    while (!abort.signal.aborted) {
      try {
        const last = [...text.matchAll(/^id: (.+)$/gm)].at(-1)?.[1];
        const answer = await fetch(`${client.next().url}/mcp`, {
          headers: {
            accept: "text/event-stream",
            "mcp-session-id": client.session(),
            ...(last === undefined ? {} : { "last-event-id": last }),
          },
          signal: abort.signal,
        });
        if (!answer.ok) throw new Error(String(answer.status));
        opened++;
        isOpen = true;
        for await (const chunk of answer.body ?? []) text += Buffer.from(chunk as Uint8Array).toString();
      } catch {
        // The next replica.
      }
      isOpen = false;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  return {
    opened: () => opened,
    isOpen: () => isOpen,
    notices: () => text.split("tools/list_changed").length - 1,
  };
}

describe.skipIf(!HAS_REDIS)(`replicas${HAS_REDIS ? "" : " (skipped: redis-server is not installed)"}`, () => {
  test("serve one fleet: sessions, changes, a killed replica, and a Redis that forgets everything", async () => {
    const redis = await ownRedis();
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const env = { SKILLS_REDIS: `${redis.url}?timeout=5000` };
    const [killed, ...others] = await Promise.all([
      startReplica(sandbox, "a", env),
      startReplica(sandbox, "b", env),
      joinFleet(sandbox, env),
    ]);
    let replicas: readonly Replica[] = [killed, ...others];
    const clients = await Promise.all([0, 1, 2, 3, 4, 5].map((index) => openClient(() => replicas, index)));
    const listAll = () => Promise.all(clients.map((client) => client.send("tools/list")));
    for (let round = 0; round < 3; round++)
      for (const text of await listAll()) expect(text).toContain('"name":"skill"');

    const streams = clients.map(keepListening);
    await waitUntil("all streams are open", () => streams.every(({ isOpen }) => isOpen()));
    await waitUntil("the replicas know each other", async () =>
      (await Promise.all(replicas.map(ready))).every(({ fleet }) => fleet?.replicas.length === 2),
    );
    sandbox.skill("project/.claude/skills/csv");
    await waitUntil("every client is told", () => streams.every(({ notices }) => notices() > 0));
    // Whoever is told lists again, wherever that request arrives.
    for (const text of await listAll()) expect(text).toContain("csv");
    expect(streams.map(({ notices }) => notices())).toEqual(streams.map(() => 1));
    expect(new Set((await Promise.all(replicas.map(ready))).map(({ fleet }) => fleet?.revision)).size).toBe(
      1,
    );

    killed.child.kill("SIGKILL");
    replicas = others;
    await waitUntil("broken streams are open again", () => streams.every(({ isOpen }) => isOpen()));
    for (const text of await listAll()) expect(text).toContain("csv");
    for (const { opened, notices } of streams) if (opened() > 1) expect(notices()).toBeGreaterThan(1);

    await redis.stop();
    await waitUntil("the outage shows", async () =>
      (await Promise.all(replicas.map(ready))).every((state) => state.redis === "degraded"),
    );
    for (const text of await listAll()) expect(text).toContain("csv");
    const late = await openClient(() => replicas, 7);
    expect(await late.send("tools/list")).toContain("csv");
    const before = streams.map(({ notices }) => notices());
    await redis.start();
    await waitUntil("redis is back", async () =>
      (await Promise.all(replicas.map(ready))).every((state) => state.redis === "connected"),
    );
    for (const text of await Promise.all([listAll(), late.send("tools/list")]).then(([all, one]) => [
      ...all,
      one,
    ]))
      expect(text).toContain("csv");
    // A replica that was more than 3 s behind may repeat an earlier change.
    await waitUntil("a synthetic change", () =>
      streams.every(({ notices }, index) => notices() > (before[index] ?? 0)),
    );
    for (const { log } of replicas) {
      await expect.poll(() => log().match(/warn .*is away/g)).toHaveLength(1);
      await expect.poll(() => log().match(/info .*is back/g)).toHaveLength(1);
    }
  }, 120_000);

  test("one push that one replica hears of is served by all", async () => {
    const redis = await ownRedis();
    const { sandbox, origin, url: repo } = createLocalTeam();
    const filesOf = (text: string) => ({ "skills/pdf/SKILL.md": skillText("pdf", text) });
    origin.commit(filesOf("One."));
    const secret = "0123456789abcdef0123";
    const env = {
      SKILLS_REDIS: `${redis.url}?timeout=5000`,
      SKILLS_REPO: repo,
      SKILLS_WEBHOOK_SECRET: secret,
    };
    const replicas = await Promise.all([startReplica(sandbox, "a", env), joinFleet(sandbox, env)]);
    const commits = async () => (await Promise.all(replicas.map(ready))).map(({ git }) => git?.[0]?.commit);
    await waitUntil("all have the first commit", async () =>
      (await commits()).every((commit) => commit !== undefined),
    );
    const second = origin.commit(filesOf("Two."));
    const body = "{}";
    const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
    const hook = { method: "POST", body, headers: { "x-hub-signature-256": signature } };
    expect((await fetch(`${replicas[1]?.url}/hooks/refresh`, hook)).status).toBe(202);
    await waitUntil("all have the second commit", async () =>
      (await commits()).every((commit) => commit === second),
    );
    await waitUntil("all serve the same", async () =>
      (await Promise.all(replicas.map(ready))).every(({ revisions }) => revisions === "same"),
    );
  }, 120_000);
});
