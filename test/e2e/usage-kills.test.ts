import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { connect } from "../support/client.ts";
import { createEventSink, type SinkMode } from "../support/event-sink.ts";
import { printFigures } from "../support/figures.ts";
import { connectInProcess } from "../support/in-process.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import { ask, topic } from "../support/team-library.ts";
import { waitUntil } from "../support/wait-until.ts";

/** `node scripts/check-delivery.mjs` sets more. */
const KILLS = Number(process.env["SKILLS_MCP_DELIVERY_KILLS"] ?? 4);

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

/** Half of all requests are refused. Of those that are taken, every other one is not told so. */
function failing(request: number): SinkMode {
  if (request % 2 === 0) return { kind: "status", status: 503 };
  return { kind: request % 4 === 1 ? "accept" : "accept-and-reset" };
}

test(`two servers, an endpoint that fails half the time, ${KILLS} kills: every event that was written down arrives`, {
  timeout: 60_000 + KILLS * 6_000,
}, async () => {
  const sandbox = createSandbox();
  sandbox.write("library/login.md", topic("login", "Login."));
  const sink = await createEventSink();
  const taken = new Set<unknown>();
  const behave = (mode: (request: number) => SinkMode) =>
    sink.behave((request, events) => {
      const chosen = mode(request);
      if (chosen.kind !== "status") for (const { data } of events) taken.add(data["context"]);
      return chosen;
    });
  behave(failing);
  const env = { SKILLS_DIR: sandbox.path("library"), ANALYTICS_ENDPOINT: sink.url };
  const options = { era: "2025-11-25", env } as const;
  const arrived = (context: string): boolean => taken.has(context);
  const acknowledged: string[] = [];
  const killed = { serving: 0, sending: 0 };

  const liveAndDie = async (name: string): Promise<void> => {
    for (let life = 0, kills = 0; kills < KILLS / 2; life++) {
      const connection = await connect(sandbox, options);
      let isGone = false;
      connection.client.onclose = () => {
        isGone = true;
      };
      for (let call = 0; call < 1 + (life % 3); call++) {
        const context = `zebra ${name} ${life} ${call}.`;
        await ask(connection, "get_skill", { context });
        // The other server may have sent it by the time that we look.
        await waitUntil("the event is safe", () => onDisk(sandbox).includes(context) || arrived(context));
        acknowledged.push(context);
      }
      // A server that is told to end sends what there is. Some die then, before, amid or after it, and some without a word.
      const isSending = life % 2 === 1;
      const requests = sink.requests().length;
      if (isSending) {
        process.kill(connection.pid, "SIGTERM");
        if (life % 4 === 1) await waitUntil("it sends", () => isGone || sink.requests().length > requests);
      }
      // Not a wait: the kill comes at another moment each time.
      await new Promise((resolve) => setTimeout(resolve, (life * 7) % 30));
      // One that was faster does not count.
      if (isGone) continue;
      process.kill(connection.pid, "SIGKILL");
      killed[isSending ? "sending" : "serving"]++;
      kills++;
    }
  };
  await Promise.all([liveAndDie("a"), liveAndDie("b")]);
  const { length: requests } = sink.requests();

  behave(() => ({ kind: "accept" }));
  const isDelivered = async (): Promise<boolean> => {
    const last = await connectInProcess(sandbox, options);
    await last.client.listTools();
    await last.close();
    return acknowledged.every(arrived) && onDisk(sandbox).trim() === "";
  };
  await waitUntil("everything has arrived and nothing is left", isDelivered, 60_000);
  const ids = new Map<unknown, Set<unknown>>();
  for (const { data, event_id } of sink.taken()) {
    const known = ids.get(data["context"]) ?? new Set();
    ids.set(data["context"], known.add(event_id));
  }
  const distinct = new Set([...ids.values()].flatMap((same) => [...same])).size;
  if (process.env["SKILLS_MCP_DELIVERY_KILLS"] !== undefined) {
    printFigures({
      killed,
      acknowledged: acknowledged.length,
      lost: acknowledged.filter((context) => !arrived(context)).length,
      arrived: ids.size,
      distinctIds: distinct,
      repeats: sink.taken().length - ids.size,
      requestsDuringTheKills: requests,
      refused: sink.requests().filter(({ accepted }) => !accepted).length,
      bytesLeftInTheBuffer: onDisk(sandbox).trim().length,
    });
  }
  expect(requests).toBeGreaterThan(0);
  // What arrives twice carries the same id, and no id stands for two events.
  expect([...ids.values()].every((same) => same.size === 1)).toBe(true);
  expect(distinct).toBe(ids.size);
});
