import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { connect } from "../support/client.ts";
import { createEventSink } from "../support/event-sink.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { ask, topic } from "../support/team-library.ts";
import { waitUntil } from "../support/wait-until.ts";

const KILLS_OF_EACH = 10;

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

test("two servers, an endpoint that fails half the time, twenty kills: every event that was written down arrives", async () => {
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
  expect(acknowledged).toHaveLength(38);
  const ids = new Map<unknown, Set<unknown>>();
  for (const { data, event_id } of sink.taken()) {
    const known = ids.get(data["context"]) ?? new Set();
    ids.set(data["context"], known.add(event_id));
  }
  // What arrives twice carries the same id, and no id stands for two events.
  expect([...ids.values()].every((same) => same.size === 1)).toBe(true);
  expect(new Set([...ids.values()].flatMap((same) => [...same])).size).toBe(ids.size);
  expect(onDisk(sandbox)).not.toContain("zebra");
});
