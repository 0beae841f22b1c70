import { openConnection, type RawConnection } from "./raw-client.ts";
import { callRequest } from "./requests.ts";
import { type HttpRow, rowOf } from "./rows.ts";
import { endSession, openSession } from "./sessions.ts";
import { closePair, type HttpSubject, type Pair } from "./subjects.ts";

interface Held {
  readonly heap: number;
  readonly resident: number;
}

interface Shown {
  readonly rates: readonly number[];
  readonly held: readonly Held[];
}

type Exchange = (connection: RawConnection, server: HttpSubject) => Promise<unknown>;

const CONNECTIONS = 8;
const SHARES = 10;

/** What lives for one exchange only: a session of the legacy era, and the server of a call in the modern one. */
const EXCHANGES: readonly (readonly [name: string, unit: string, exchange: Exchange])[] = [
  [
    "sessions of 2025-11-25, opened and ended",
    "sessions/s",
    async (connection) => endSession(connection, await openSession(connection)),
  ],
  ["calls of 2026-07-28", "calls/s", (connection, server) => connection.ask(callRequest(server))],
];

/**
 * Exchanges that come and go, and what stays behind. The heap after a forced collection is what a leak would show in:
 * resident memory also rises while the collector sees no need to run.
 */
export async function measureLeaks(
  startPair: () => Promise<Pair>,
  count: number,
): Promise<readonly HttpRow[]> {
  const rows: HttpRow[] = [];
  for (const [what, unit, exchange] of EXCHANGES) {
    const pair = await startPair();
    const subjects = [await subject(pair.ours, exchange), await subject(pair.floor, exchange)] as const;
    // Small shares in turns, so that a busy moment slows both.
    for (let share = 1; share <= SHARES; share++) {
      for (const { run, sample } of share % 2 === 0 ? subjects : [...subjects].reverse()) {
        await run(count / SHARES);
        if (share === SHARES / 2 || share === SHARES) await sample();
      }
    }
    await closePair(pair);
    const [ours, floor] = subjects;
    const row = (rowUnit: string, read: (shown: Shown) => readonly number[]): HttpRow =>
      rowOf(`${count} ${what}`, rowUnit, { ours: read(ours), floor: read(floor) });
    rows.push(
      row(unit, ({ rates }) => rates),
      row("KiB of heap after GC at half", ({ held }) => held.slice(0, 1).map(({ heap }) => heap)),
      row("KiB of heap after GC at the end", ({ held }) => held.slice(1).map(({ heap }) => heap)),
      row("KiB resident at half", ({ held }) => held.slice(0, 1).map(({ resident }) => resident)),
      row("KiB resident at the end", ({ held }) => held.slice(1).map(({ resident }) => resident)),
    );
  }
  return rows;
}

async function subject(server: HttpSubject, exchange: Exchange) {
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => openConnection(server.port)),
  );
  const rates: number[] = [];
  const held: Held[] = [];
  return {
    rates,
    held,
    async run(count: number): Promise<void> {
      const began = performance.now();
      let left = count;
      await Promise.all(
        connections.map(async (connection) => {
          while (left-- > 0) await exchange(connection, server);
        }),
      );
      rates.push(count / ((performance.now() - began) / 1_000));
    },
    async sample(): Promise<void> {
      held.push({ heap: await server.heap(), resident: server.memory() });
    },
  };
}
