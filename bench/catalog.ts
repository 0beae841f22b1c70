// What does a catalog call cost when nothing has changed on the disk?
import { setTimeout as sleep } from "node:timers/promises";
import { readArguments } from "./arguments.ts";
import { statFloor } from "./floor/walks.ts";
import { figure, interleave, median, percentile, type Row, ratio, table, timed } from "./measure.ts";
import { startServer } from "./stdio-client.ts";
import { createWorkspace } from "./workspace.ts";

/** Past the grain of the clock, within which a file is read again to be sure. */
const SETTLED_AFTER_MS = 4_000;

const { rounds, sizes, bin } = readArguments({ rounds: 11, sizes: [100, 1_000, 10_000] });
const workspace = createWorkspace();
const FLOOR = "floor: readdir and stat of everything";

const rows: Row[] = [];
for (const size of sizes) {
  const { dir } = workspace.corpus(size);
  const server = startServer([bin, "mcp-server", "--root", dir], workspace);
  const call = (name: string, args: object) => () =>
    timed(() => server.request("tools/call", { name, arguments: args }));
  const search = call("skills.search", { query: "verify each step" });
  try {
    await server.initialize();
    await sleep(SETTLED_AFTER_MS);
    // The first search reads every file; the calls after it are the ones that happen all day.
    await search();
    const samples = await interleave(rounds, [
      { name: FLOOR, measure: () => timed(() => statFloor(dir)) },
      { name: "skills.search", measure: search },
      { name: "skills.list, no match", measure: call("skills.list", { query: "no such skill" }) },
      { name: "skills.list, every skill", measure: call("skills.list", {}) },
    ]);
    const floor = median(samples.get(FLOOR) ?? []);
    rows.push({ heading: `${size} skills` });
    for (const [name, values] of samples) {
      rows.push([
        name,
        figure(median(values)),
        figure(percentile(values, 0.9)),
        ratio(median(values), floor),
      ]);
    }
  } finally {
    await server.close();
  }
}

console.log(`Catalog calls in ms when nothing has changed, ${rounds} interleaved rounds\n`);
console.log(table(["", "median", "p90", "to the floor"], rows));
