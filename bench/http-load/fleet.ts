import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { startRedis } from "../../test/support/redis-server.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import { percentile } from "../measure.ts";
import type { Workspace } from "../workspace.ts";
import { openConnection, rawRequest } from "./raw-client.ts";
import { callRequest } from "./requests.ts";
import { type HttpRow, rowOf, type Samples } from "./rows.ts";
import { openSession } from "./sessions.ts";
import { type HttpSubject, startSubject } from "./subjects.ts";

export interface FleetOptions {
  readonly workspace: Workspace;
  readonly bin: string;
  readonly rounds: number;
  readonly seconds: number;
  /** Of the fan-out, over three replicas. */
  readonly streams: number;
}

interface Outcome {
  readonly rate: number;
  readonly p99: number;
  /** Processor time of all servers for one call, in µs. */
  readonly cost: number;
}

const CONNECTIONS = 32;
const REPLICAS = [1, 2, 4];

/** Calls of sessions on 1, 2 and 4 replicas, and one change to many streams, next to one server without Redis. */
export async function measureFleet(options: FleetOptions): Promise<readonly HttpRow[]> {
  const redis = await startRedis();
  try {
    const rows = [];
    for (const count of REPLICAS) {
      const name = `${count} ${count === 1 ? "replica" : "replicas"} with Redis`;
      rows.push(...(await measureCalls(options, name, [count, ["--redis", redis.url]], [1, []])));
    }
    rows.push(...(await measureAccessLines(options)));
    rows.push(await measureFanOut(options, redis.url));
    return rows;
  } finally {
    await redis.close();
  }
}

/** How many servers, and their flags. */
type Servers = readonly [count: number, flags: readonly string[]];

/** What the lines of requests in the log cost, which go to `/dev/null`. */
async function measureAccessLines(options: FleetOptions): Promise<readonly HttpRow[]> {
  const floorName = "--log-level warn";
  const measured: HttpRow[] = [];
  for (const format of ["text", "json"]) {
    const ours: Servers = [1, ["--log-format", format]];
    const calls = await measureCalls(options, `access lines as ${format}`, ours, [1, floorName.split(" ")]);
    measured.push(
      ...calls.filter(({ unit }) => unit.startsWith("CPU")).map((row) => ({ ...row, floorName })),
    );
  }
  return measured;
}

async function measureCalls(
  options: FleetOptions,
  what: string,
  oursAs: Servers,
  floorAs: Servers,
): Promise<readonly HttpRow[]> {
  const floor = await start(options, ...floorAs);
  const ours = await start(options, ...oursAs);
  const outcomes = { ours: [] as Outcome[], floor: [] as Outcome[] };
  // The first run does not count. They take turns in being first.
  for (let round = 0; round <= options.rounds; round++) {
    const order = round % 2 === 0 ? (["ours", "floor"] as const) : (["floor", "ours"] as const);
    for (const side of order) {
      const outcome = await load(side === "ours" ? ours : floor, options.seconds);
      if (round > 0) outcomes[side].push(outcome);
    }
  }
  await Promise.all([...ours, ...floor].map((server) => server.close()));
  const of = (read: (outcome: Outcome) => number) => ({
    ours: outcomes.ours.map(read),
    floor: outcomes.floor.map(read),
  });
  const name = `${what}, 2025-11-25 tools/call, ${CONNECTIONS} connections`;
  return [
    rowOf(
      name,
      "calls/s",
      of(({ rate }) => rate),
    ),
    leastOf(
      name,
      "ms p99",
      of(({ p99 }) => p99),
    ),
    rowOf(
      name,
      "CPU µs/call",
      of(({ cost }) => cost),
    ),
  ];
}

/** Anything else that runs on this machine makes some calls slow, and nothing makes them fast: the best round of each counts. */
function leastOf(name: string, unit: string, samples: Samples): HttpRow {
  const [ours, floor] = [Math.min(...samples.ours), Math.min(...samples.floor)];
  return { ...rowOf(name, unit, samples), ours, floor, ratio: ours / floor };
}

async function start(
  { workspace, bin }: FleetOptions,
  count: number,
  flags: readonly string[],
): Promise<readonly HttpSubject[]> {
  const { dir, skills } = workspace.corpus(100);
  const tool = { name: "skill", arguments: { name: skills[0]?.name ?? "" } };
  const args = (port: number) => [
    ...[bin, "mcp", "--transport", "http", "--port", String(port), "--skill-dir", dir],
    ...flags,
  ];
  return Promise.all(Array.from({ length: count }, () => startSubject(workspace, args, tool)));
}

/** Every connection uses a session that another replica opened, where there are several. */
async function load(servers: readonly HttpSubject[], seconds: number): Promise<Outcome> {
  const serverOf = (index: number): HttpSubject => servers[index % servers.length] as HttpSubject;
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, index) => openConnection(serverOf(index).port)),
  );
  const sessions = await Promise.all(
    connections.map(async (_, index) => {
      const opener = await openConnection(serverOf(index + 1).port);
      const id = await openSession(opener);
      opener.close();
      return id;
    }),
  );
  const times: number[] = [];
  const spent = (): number => servers.reduce((sum, server) => sum + server.processorTime(), 0);
  const before = spent();
  const began = performance.now();
  await Promise.all(
    connections.map(async (connection, index) => {
      const request = callRequest(serverOf(index), sessions[index]);
      while (performance.now() - began < seconds * 1_000) {
        const asked = performance.now();
        const { status, body } = await connection.ask(request);
        if (status !== 200) throw new Error(`${status}: ${body.slice(0, 300)}`);
        times.push(performance.now() - asked);
      }
    }),
  );
  const took = (performance.now() - began) / 1_000;
  const cost = ((spent() - before) / times.length) * 1_000;
  for (const connection of connections) connection.close();
  return { rate: times.length / took, p99: percentile(times, 0.99), cost };
}

/** From a new skill on the disk to the last stream that is told; the floor has as many streams as one of the replicas. */
async function measureFanOut(options: FleetOptions, redis: string): Promise<HttpRow> {
  const share = Math.ceil(options.streams / 3);
  const ours = await fanOut(options, await start(options, 3, ["--redis", redis]), share * 3);
  const floor = await fanOut(options, await start(options, 1, []), share);
  const name = `one change to ${share * 3} streams of 3 replicas (floor: ${share} of one server)`;
  return rowOf(name, "ms", { ours, floor });
}

async function fanOut(
  { workspace, rounds }: FleetOptions,
  servers: readonly HttpSubject[],
  streams: number,
): Promise<readonly number[]> {
  let told = 0;
  const connections = [];
  for (let index = 0; index < streams; index++) {
    const { port } = servers[index % servers.length] as HttpSubject;
    const [opener, stream] = await Promise.all([openConnection(port), openConnection(port)]);
    const id = await openSession(opener);
    opener.close();
    stream.listen(rawRequest("GET", "/mcp", { "mcp-session-id": id }), (text) => {
      told += text.split("tools/list_changed").length - 1;
    });
    connections.push(stream);
  }
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    told = 0;
    const began = performance.now();
    addSkill(workspace.corpus(100).dir, `fan-out-${servers.length}-${round}`);
    await waitUntil("all streams are told", () => told >= streams, 60_000);
    times.push(performance.now() - began);
  }
  for (const connection of connections) connection.close();
  await Promise.all(servers.map((server) => server.close()));
  return times;
}

function addSkill(folder: string, name: string): void {
  mkdirSync(path.join(folder, name), { recursive: true });
  writeFileSync(path.join(folder, name, "SKILL.md"), `---\nname: ${name}\ndescription: Came later.\n---\n`);
}
