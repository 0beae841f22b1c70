import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { connect } from "../support/client.ts";
import { createEventSink } from "../support/event-sink.ts";
import { printFigures } from "../support/figures.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { ask, topic } from "../support/team-library.ts";
import { waitUntil } from "../support/wait-until.ts";

/** `node scripts/check-delivery.mjs` sets more. */
const KILLS = Number(process.env["SKILLS_MCP_DELIVERY_KILLS"] ?? 20);
const KILLS_OF_EACH = Math.ceil(KILLS / 2);

/** What is on the disk of events: journals and the shared buffer, not the history. */
function onDisk({ home }: Sandbox): string {
  const folder = path.join(home, ".skills-mcp");
  if (!existsSync(folder)) return "";
  return readdirSync(folder)
    .filter((name) => name.startsWith("analytics-buffer"))
    .map((name) => {
      try {
        return readFileSync(path.join(folder, name), "utf8");
      } catch {
        return ""; // Another process took it meanwhile.
      }
    })
    .join("\n");
}

test(`two servers, an endpoint that fails half the time, ${KILLS} kills: every event that was written down arrives`, {
  timeout: 60_000 + KILLS * 3_000,
}, async () => {
  const sandbox = createSandbox();
  sandbox.write("library/login.md", topic("login", "Login."));
  const sink = await createEventSink();
  sink.behave((request) => (request % 2 === 0 ? { kind: "status", status: 503 } : { kind: "accept" }));
  const env = { SKILLS_DIR: sandbox.path("library"), ANALYTICS_ENDPOINT: sink.url };
  const serve = () => connect(sandbox, { era: "2025-11-25", env });
  const arrived = (context: string): boolean => sink.taken().some(({ data }) => data["context"] === context);
  const acknowledged: string[] = [];

  const liveAndDie = async (name: string): Promise<void> => {
    for (let life = 0; life < KILLS_OF_EACH; life++) {
      const connection = await serve();
      for (let call = 0; call < 1 + (life % 3); call++) {
        const context = `zebra ${name} ${life} ${call}.`;
        await ask(connection, "get_skill", { context });
        // The other server may have sent it by the time that we look.
        await waitUntil("the event is safe", () => onDisk(sandbox).includes(context) || arrived(context));
        acknowledged.push(context);
      }
      // Some die while they send, some before.
      await new Promise((resolve) => setTimeout(resolve, (life * 37) % 120));
      process.kill(connection.pid, "SIGKILL");
    }
  };
  await Promise.all([liveAndDie("a"), liveAndDie("b")]);

  sink.behave(() => ({ kind: "accept" }));
  await waitUntil("everything has arrived", async () => {
    const last = await serve();
    await last.client.listTools();
    await last.close();
    return acknowledged.every(arrived);
  });
  const calls = Array.from({ length: KILLS_OF_EACH }, (_, life) => 1 + (life % 3));
  expect(acknowledged).toHaveLength(2 * calls.reduce((sum, count) => sum + count, 0));
  const ids = new Map<unknown, Set<unknown>>();
  for (const { data, event_id } of sink.taken()) {
    const known = ids.get(data["context"]) ?? new Set();
    ids.set(data["context"], known.add(event_id));
  }
  const distinct = new Set([...ids.values()].flatMap((same) => [...same])).size;
  const buffered = onDisk(sandbox);
  if (process.env["SKILLS_MCP_DELIVERY_KILLS"] !== undefined) {
    printFigures({
      kills: 2 * KILLS_OF_EACH,
      acknowledged: acknowledged.length,
      lost: acknowledged.filter((context) => !arrived(context)).length,
      arrived: ids.size,
      distinctIds: distinct,
      repeats: sink.taken().length - ids.size,
      requests: sink.requests().length,
      refusedRequests: sink.requests().filter(({ accepted }) => !accepted).length,
      bytesLeftInTheBuffer: buffered.trim().length,
    });
  }
  // What arrives twice carries the same id, and no id stands for two events.
  expect([...ids.values()].every((same) => same.size === 1)).toBe(true);
  expect(distinct).toBe(ids.size);
  expect(buffered.trim()).toBe("");
});
