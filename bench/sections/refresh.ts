import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { grouped, largeSize, type Section } from "../bench.ts";
import { statFloor, statFloorInTurn } from "../floor/walks.ts";
import { timed } from "../measure.ts";
import { type BenchRow, rowOf } from "../report/row.ts";
import { startServer } from "../stdio-client.ts";

const SECTION = "Refresh";
const CHANGES = [0, 1, 100] as const;
/** Past the grain of the clock, within which a file is read again to be sure. */
const SETTLED_AFTER_MS = 2_500;

/** A call of `skills.list` that no skill answers: it looks at the whole disk before it says so. */
export const measureRefresh: Section = async (bench) => {
  const size = largeSize(bench);
  const { workspace, options, progress } = bench;
  const { dir, skills } = workspace.corpus(size);
  const server = startServer(
    [options.bin, "mcp-server", "--root", dir, "--no-watch", "--no-refresh"],
    workspace,
  );
  const look = (): Promise<unknown> =>
    server.request("tools/call", { name: "skills.list", arguments: { query: "no such skill" } });
  const rows: BenchRow[] = [];
  try {
    await server.initialize();
    await look();
    await sleep(SETTLED_AFTER_MS);
    await look();
    for (const changes of CHANGES.filter((count) => count <= skills.length)) {
      const ours: number[] = [];
      const atOnce: number[] = [];
      const inTurn: number[] = [];
      for (let round = 0; round < options.rounds; round++) {
        progress(
          `refresh: ${grouped(size)} skills, ${changes} changes, round ${round + 1} of ${options.rounds}`,
        );
        for (const { file } of skills.slice(0, changes)) {
          writeFileSync(
            file,
            readFileSync(file, "utf8").replace(/^description: "/m, 'description: "Again. '),
          );
        }
        atOnce.push(await timed(() => statFloor(dir)));
        inTurn.push(await timed(async () => statFloorInTurn(dir)));
        ours.push(await timed(look));
      }
      rows.push(
        ...refreshRows(size, changes, ours, [
          ["async", "plain traversal with stat, 16 at once", atOnce],
          ["sync", "plain traversal with stat, in a synchronous loop", inTurn],
        ]),
      );
    }
  } finally {
    await server.kill();
  }
  return rows;
};

function refreshRows(
  size: number,
  changes: number,
  ours: readonly number[],
  floors: readonly (readonly [id: string, name: string, samples: readonly number[]])[],
): readonly BenchRow[] {
  return floors.map(([id, floorName, floor]) =>
    rowOf(SECTION, {
      id: `refresh.${changes}.${id}.${size}`,
      name: `${changes} of ${grouped(size)} skills changed`,
      unit: "ms",
      floorName,
      samples: { ours, floor },
    }),
  );
}
