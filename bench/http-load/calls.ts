import { percentile } from "../measure.ts";
import { openConnection, type RawConnection } from "./raw-client.ts";
import { callRequest, listRequest } from "./requests.ts";
import { type HttpRow, rowOf, type Samples } from "./rows.ts";
import { endSession, openSession } from "./sessions.ts";
import { closePair, type HttpSubject, type Pair } from "./subjects.ts";

export interface CallOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: readonly number[];
}

const ERAS = ["2026-07-28", "2025-11-25"] as const;
const METHODS = { "tools/call": callRequest, "tools/list": listRequestOf } as const;

interface Load {
  readonly era: (typeof ERAS)[number];
  readonly method: keyof typeof METHODS;
  readonly connections: number;
  readonly seconds: number;
}

const WARM_UP_CALLS = 5_000;
const LONGEST_WARM_UP_S = 5;

interface Outcome {
  readonly rate: number;
  readonly p99: number;
  /** Processor time of the server for one request, in µs. */
  readonly cost: number;
}

/** How many requests per second each server answers, and at what cost. */
export async function measureCalls(
  startPair: () => Promise<Pair>,
  { rounds, seconds, connections }: CallOptions,
): Promise<readonly HttpRow[]> {
  const pair = await startPair();
  const rows: HttpRow[] = [];
  const loads = ERAS.flatMap((era) => [
    ...connections.map((count): Load => ({ era, method: "tools/call", connections: count, seconds })),
    ...connections
      .slice(0, 1)
      .map((count): Load => ({ era, method: "tools/list", connections: count, seconds })),
  ]);
  for (const load of loads) {
    const { ours, floor } = await compare(pair, load, rounds);
    const of = (read: (outcome: Outcome) => number): Samples => ({
      ours: ours.map(read),
      floor: floor.map(read),
    });
    const name = `${load.era} ${load.method}, ${load.connections} connections`;
    rows.push(
      rowOf(
        name,
        "calls/s",
        of(({ rate }) => rate),
      ),
      rowOf(
        name,
        "ms p99",
        of(({ p99 }) => p99),
      ),
      rowOf(
        name,
        "CPU µs/call",
        of(({ cost }) => cost),
      ),
    );
  }
  await closePair(pair);
  return rows;
}

/** Each round loads both, and the next one begins with the other: the first after a pause pays for it. */
async function compare(
  { ours, floor }: Pair,
  load: Load,
  rounds: number,
): Promise<{ readonly ours: readonly Outcome[]; readonly floor: readonly Outcome[] }> {
  const outcomes = { ours: [] as Outcome[], floor: [] as Outcome[] };
  const runOurs = async () => void outcomes.ours.push(await run(ours, load));
  const runFloor = async () => void outcomes.floor.push(await run(floor, load));
  // These do not count: code is compiled while it runs, and that depends on how often it ran, not for how long.
  for (const server of [floor, ours])
    await run(server, { ...load, seconds: LONGEST_WARM_UP_S }, WARM_UP_CALLS);
  for (let round = 0; round < rounds; round++) {
    for (const turn of round % 2 === 0 ? [runFloor, runOurs] : [runOurs, runFloor]) await turn();
  }
  return outcomes;
}

/** Loads a server for some time, and with no more than so many calls. */
async function run(
  server: HttpSubject,
  { era, method, connections: count, seconds }: Load,
  calls = Number.POSITIVE_INFINITY,
): Promise<Outcome> {
  const connections = await Promise.all(Array.from({ length: count }, () => openConnection(server.port)));
  const sessions = await Promise.all(era === "2025-11-25" ? connections.map(openSession) : []);
  const ask = METHODS[method];
  const requests = connections.map((_, index) => ask(server, sessions[index]));
  const times: number[] = [];
  const start = performance.now();
  const end = start + seconds * 1_000;
  const isOver = (): boolean => performance.now() >= end || times.length >= calls;
  const spentBefore = server.processorTime();
  await Promise.all(
    connections.map(async (connection, index) => {
      const request = requests[index] ?? "";
      while (!isOver()) {
        const asked = performance.now();
        const { status, body } = await connection.ask(request);
        if (status !== 200 || body.length < 500) throw new Error(`${status}: ${body.slice(0, 300)}`);
        times.push(performance.now() - asked);
      }
    }),
  );
  const cost = ((server.processorTime() - spentBefore) / times.length) * 1_000;
  const took = (performance.now() - start) / 1_000;
  await Promise.all(sessions.map((id, index) => endSession(connections[index] as RawConnection, id)));
  for (const connection of connections) connection.close();
  return { rate: times.length / took, p99: percentile(times, 0.99), cost };
}

function listRequestOf(_server: HttpSubject, session?: string): string {
  return listRequest(session);
}
