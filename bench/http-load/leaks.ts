import { openConnection } from "./raw-client.ts";
import { type HttpRow, rowOf } from "./rows.ts";
import { endSession, openSession } from "./sessions.ts";
import { closePair, type HttpSubject, type Pair } from "./subjects.ts";

interface Growth {
  readonly rate: number;
  readonly resident: { readonly half: number; readonly end: number };
  readonly heap: { readonly half: number; readonly end: number };
}

/**
 * Sessions that come and go, and what stays behind. The heap after a forced collection is what a leak would show in:
 * resident memory also rises while the collector sees no need to run.
 */
export async function measureLeaks(
  startPair: () => Promise<Pair>,
  sessions: number,
): Promise<readonly HttpRow[]> {
  const pair = await startPair();
  const floor = await openAndEnd(pair.floor, sessions);
  const ours = await openAndEnd(pair.ours, sessions);
  await closePair(pair);
  const name = `${sessions} sessions, opened and ended on ${CONNECTIONS} connections`;
  const row = (unit: string, read: (growth: Growth) => number): HttpRow =>
    rowOf(name, unit, { ours: [read(ours)], floor: [read(floor)] });
  return [
    row("sessions/s", ({ rate }) => rate),
    row("KiB of heap after GC at half", ({ heap }) => heap.half),
    row("KiB of heap after GC at the end", ({ heap }) => heap.end),
    row("KiB resident at half", ({ resident }) => resident.half),
    row("KiB resident at the end", ({ resident }) => resident.end),
  ];
}

const CONNECTIONS = 8;

async function openAndEnd(server: HttpSubject, sessions: number): Promise<Growth> {
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openConnection(server.port)),
  );
  const run = (count: number): Promise<unknown> =>
    Promise.all(
      connections.map(async (connection) => {
        for (let index = 0; index < count / CONNECTIONS; index++) {
          await endSession(connection, await openSession(connection));
        }
      }),
    );
  await run(sessions / 2);
  const half = { heap: await server.heap(), resident: server.memory() };
  const began = performance.now();
  await run(sessions / 2);
  const rate = sessions / 2 / ((performance.now() - began) / 1_000);
  const end = { heap: await server.heap(), resident: server.memory() };
  for (const connection of connections) connection.close();
  return {
    rate,
    heap: { half: half.heap, end: end.heap },
    resident: { half: half.resident, end: end.resident },
  };
}
