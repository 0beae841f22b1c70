import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openConnection, rawRequest } from "./raw-client.ts";
import { type HttpRow, rowOf } from "./rows.ts";
import { openSession } from "./sessions.ts";
import { closePair, type HttpSubject, type Pair } from "./subjects.ts";

const LISTENERS = 1_000;

/** A change reaches so many listening clients: from the first to the last one that hears of it. */
export async function measureStreams(
  startPair: () => Promise<Pair>,
  skillFile: string,
): Promise<readonly HttpRow[]> {
  const pair = await startPair();
  const floor = await listen(pair.floor, () => askOnce(pair.floor, "/change"));
  const ours = await listen(pair.ours, async () =>
    writeFileSync(skillFile, `---\nname: changed\ndescription: Changed at ${Date.now()}.\n---\n\nText.\n`),
  );
  await closePair(pair);
  const name = `One change, ${LISTENERS} sessions that listen`;
  return [
    rowOf(name, "ms first to last", { ours: [ours.spread], floor: [floor.spread] }),
    rowOf(name, "KiB per session", { ours: [ours.memory], floor: [floor.memory] }),
  ];
}

async function listen(
  server: HttpSubject,
  change: () => Promise<void>,
): Promise<{ readonly spread: number; readonly memory: number }> {
  const connections = await Promise.all(Array.from({ length: LISTENERS }, () => openConnection(server.port)));
  const before = server.memory();
  const heard: number[] = [];
  for (const connection of connections) {
    const headers = { "mcp-session-id": await openSession(connection) };
    let isNotified = false;
    connection.listen(rawRequest("GET", "/mcp", { ...headers, accept: "text/event-stream" }), (text) => {
      if (isNotified || !text.includes("list_changed")) return;
      isNotified = true;
      heard.push(performance.now());
    });
  }
  await sleep(1_000);
  const after = server.memory();
  await change();
  while (heard.length < LISTENERS) await sleep(20);
  for (const connection of connections) connection.close();
  return { spread: Math.max(...heard) - Math.min(...heard), memory: (after - before) / LISTENERS };
}

async function askOnce(server: HttpSubject, address: string): Promise<void> {
  const connection = await openConnection(server.port);
  await connection.ask(rawRequest("GET", address, {}));
  connection.close();
}
