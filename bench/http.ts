// How much does skills-mcp add to what the SDK costs over HTTP?
import { writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { openConnection, type RawConnection, rawRequest } from "./http-load/raw-client.ts";
import { endSession, openSession } from "./http-load/sessions.ts";
import { type HttpSubject, startSubject } from "./http-load/subjects.ts";
import { figure, interleave, median, percentile, type Row, ratio, table } from "./measure.ts";
import { createWorkspace } from "./workspace.ts";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
    creations: { type: "string", default: "10000" },
    connections: { type: "string", default: "32,1000" },
    parts: { type: "string", default: "calls,streams,memory" },
    bin: { type: "string", default: path.join(HERE, "..", "dist", "cli.js") },
  },
});
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const creations = Number(values.creations);

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
};

const workspace = createWorkspace();
const { dir, skills } = workspace.corpus(100);
const [skill] = skills;
if (skill === undefined) throw new Error("There is no skill to load.");

const startBare = (): Promise<HttpSubject> =>
  startSubject(workspace, (port) => [path.join(HERE, "floor", "bare-http-server.mjs"), String(port)], {
    name: "constant",
    arguments: { size: skill.bytes },
  });
const startOurs = (): Promise<HttpSubject> =>
  startSubject(
    workspace,
    (port) => [values.bin, "mcp", "--transport", "http", "--port", String(port), "--skill-dir", dir],
    { name: "skill", arguments: { name: skill.name } },
  );

const BARE = "bare SDK server";
const OURS = "skills-mcp";

const parts = values.parts.split(",");
if (parts.includes("calls")) await throughput();
if (parts.includes("streams")) await streams();
if (parts.includes("memory")) await memory();

async function throughput(): Promise<void> {
  const [bare, ours] = [await startBare(), await startOurs()];
  await sleep(1_500);
  const rows: Row[] = [];
  const loads = ["2026-07-28", "2025-11-25"].flatMap((era) =>
    values.connections.split(",").map((count) => [era, Number(count)] as const),
  );
  for (const [era, connections] of loads) {
    const latencies = new Map<string, number[]>([
      [BARE, []],
      [OURS, []],
    ]);
    const costs = new Map<string, number[]>([
      [BARE, []],
      [OURS, []],
    ]);
    const subject = (name: string, server: HttpSubject) => ({
      name,
      async measure() {
        const { rate, p99, cost } = await load(server, era, connections);
        latencies.get(name)?.push(p99);
        costs.get(name)?.push(cost);
        return rate;
      },
    });
    // One round that does not count: code is compiled while it runs.
    await load(bare, era, connections);
    await load(ours, era, connections);
    const rates = await interleave(rounds, [subject(BARE, bare), subject(OURS, ours)]);
    rows.push({ heading: `${era}, ${connections} connections` });
    const floor = median(rates.get(BARE) ?? []);
    for (const name of [BARE, OURS]) {
      const rate = median(rates.get(name) ?? []);
      const cost = median(costs.get(name) ?? []);
      rows.push([
        name,
        figure(rate),
        ratio(rate, floor),
        figure(median(latencies.get(name) ?? [])),
        figure(cost * 1_000),
        ratio(median(costs.get(BARE) ?? []), cost),
      ]);
    }
  }
  await Promise.all([bare.close(), ours.close()]);
  console.log(
    `Calls of a tool that answers with ${skill?.bytes ?? 0} bytes, medians of ${rounds} rounds of ${seconds} s\n`,
  );
  console.log(table(["", "calls/s", "to bare", "p99 ms", "CPU µs/call", "bare to it"], rows));
}

async function load(
  server: HttpSubject,
  era: string,
  count: number,
): Promise<{ rate: number; p99: number; cost: number }> {
  const connections = await Promise.all(Array.from({ length: count }, () => openConnection(server.port)));
  const requests: string[] = [];
  const sessions: string[] = [];
  const isModern = era === "2026-07-28";
  for (const connection of isModern ? connections.slice(0, 1) : connections) {
    const headers = isModern
      ? { "mcp-protocol-version": era, "mcp-method": "tools/call", "mcp-name": server.call(1).name }
      : { "mcp-protocol-version": era, "mcp-session-id": await openSession(connection) };
    if ("mcp-session-id" in headers) sessions.push(headers["mcp-session-id"]);
    const { body } = server.call(1, isModern ? ENVELOPE : undefined);
    requests.push(rawRequest("POST", "/mcp", headers, body));
  }
  const times: number[] = [];
  const end = performance.now() + seconds * 1_000;
  const start = performance.now();
  const spentBefore = server.processorTime();
  await Promise.all(
    connections.map(async (connection, index) => {
      const request = requests[index % requests.length] ?? "";
      while (performance.now() < end) {
        const asked = performance.now();
        const { status, body } = await connection.ask(request);
        if (status !== 200 || body.length < 500) throw new Error(`${status}: ${body.slice(0, 300)}`);
        times.push(performance.now() - asked);
      }
    }),
  );
  const cost = (server.processorTime() - spentBefore) / times.length;
  const took = (performance.now() - start) / 1_000;
  for (const [index, id] of sessions.entries()) await endSession(connections[index] as RawConnection, id);
  for (const connection of connections) connection.close();
  return { rate: times.length / took, p99: percentile(times, 0.99), cost };
}

/** A change reaches so many listening clients: from the first to the last one that hears of it. */
async function streams(): Promise<void> {
  const count = 1_000;
  const [bare, ours] = [await startBare(), await startOurs()];
  await sleep(1_500);
  const rows: Row[] = [];
  const file = skills[1]?.file ?? "";
  for (const [name, server, change] of [
    [BARE, bare, () => askOnce(bare, "/change")],
    [
      OURS,
      ours,
      async () =>
        writeFileSync(file, `---\nname: changed\ndescription: Changed at ${Date.now()}.\n---\n\nText.\n`),
    ],
  ] as const) {
    const connections = await Promise.all(Array.from({ length: count }, () => openConnection(server.port)));
    const before = server.memory();
    const heard: number[] = [];
    for (const connection of connections) {
      const headers = { "mcp-session-id": await openSession(connection) };
      let told = false;
      connection.listen(rawRequest("GET", "/mcp", { ...headers, accept: "text/event-stream" }), (text) => {
        if (told || !text.includes("list_changed")) return;
        told = true;
        heard.push(performance.now());
      });
    }
    await sleep(1_000);
    const after = server.memory();
    await change();
    while (heard.length < count) await sleep(20);
    const spread = Math.max(...heard) - Math.min(...heard);
    rows.push([name, String(heard.length), figure(spread), figure((after - before) / count)]);
    for (const connection of connections) connection.close();
  }
  await Promise.all([bare.close(), ours.close()]);
  console.log(`\nOne change and ${count} sessions that listen\n`);
  console.log(table(["", "told", "first to last ms", "KiB per session"], rows));
}

async function askOnce(server: HttpSubject, address: string): Promise<void> {
  const connection = await openConnection(server.port);
  await connection.ask(rawRequest("GET", address, {}));
  connection.close();
}

/** Sessions that come and go: what stays behind. */
async function memory(): Promise<void> {
  const rows: Row[] = [];
  for (const [name, start] of [
    [BARE, startBare],
    [OURS, startOurs],
  ] as const) {
    const server = await start();
    await sleep(1_500);
    const connections = await Promise.all(Array.from({ length: 8 }, () => openConnection(server.port)));
    const run = (share: number): Promise<unknown> =>
      Promise.all(
        connections.map(async (connection) => {
          for (let index = 0; index < share / connections.length; index++) {
            await endSession(connection, await openSession(connection));
          }
        }),
      );
    await run(creations / 2);
    const half = server.memory();
    const began = performance.now();
    await run(creations / 2);
    const rate = creations / 2 / ((performance.now() - began) / 1_000);
    await sleep(1_000);
    rows.push([name, figure(rate), figure(half / 1024), figure(server.memory() / 1024)]);
    for (const connection of connections) connection.close();
    await server.close();
  }
  console.log(`\n${creations} sessions, opened and ended one after another on 8 connections\n`);
  console.log(table(["", "sessions/s", "MiB at half", "MiB at the end"], rows));
}
