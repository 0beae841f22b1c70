import { grouped, type Section } from "../bench.ts";
import { statFloor } from "../floor/walks.ts";
import { interleave, timed } from "../measure.ts";
import { untilQuiet } from "../process-figures.ts";
import { type BenchRow, rowOf } from "../report/row.ts";
import { startServer } from "../stdio-client.ts";

const SECTION = "The catalog tools";
const MOST = 10_000;
const FLOOR = "plain traversal with stat, 16 at once";

/** Catalog calls when nothing has changed. Each looks at the whole disk, because it must reflect it. */
export const measureCatalog: Section = async ({ options: { rounds, sizes, bin }, workspace, progress }) => {
  const rows: BenchRow[] = [];
  for (const size of sizes.filter((size) => size >= 100 && size <= MOST)) {
    progress(`catalog: ${grouped(size)} skills`);
    const { dir } = workspace.readOnlyCorpus(size);
    const server = startServer([bin, "mcp-server", "--root", dir], workspace);
    const call = (name: string, args: object) => () =>
      timed(() => server.request("tools/call", { name, arguments: args }));
    const search = call("skills.search", { query: "verify each step" });
    try {
      await server.initialize();
      // The first search reads every file; the calls after it are the ones that happen all day.
      await search();
      await untilQuiet(server.pid);
      const samples = await interleave(rounds, [
        { name: FLOOR, measure: () => timed(() => statFloor(dir)) },
        { name: "skills.search", measure: search },
        { name: "skills.list", measure: call("skills.list", {}) },
      ]);
      for (const name of ["skills.search", "skills.list"]) {
        rows.push(
          rowOf(SECTION, {
            id: `catalog.${name}.${size}`,
            name: `${name}, ${grouped(size)} skills`,
            unit: "ms",
            floorName: FLOOR,
            samples: { ours: samples.get(name) ?? [], floor: samples.get(FLOOR) ?? [] },
          }),
        );
      }
    } finally {
      await server.close();
    }
  }
  return rows;
};
