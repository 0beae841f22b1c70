import type { Section } from "../bench.ts";
import { interleave, timed } from "../measure.ts";
import { rowOf } from "../report/row.ts";
import { runToEnd } from "../stdio-client.ts";

const SECTION = "Commands";
const NODE = "node -e 0";

/** From spawning a command to its end. */
export const measureCommands: Section = async ({ options: { rounds, bin }, workspace, progress }) => {
  progress("commands");
  const { dir } = workspace.readOnlyCorpus(100);
  const running = (name: string, args: readonly string[]) => ({
    name,
    measure: () => timed(() => runToEnd(args, workspace)),
  });
  const [node, version, list] = [
    running(NODE, ["-e", "0"]),
    running("--version", [bin, "--version"]),
    running("list of 100 skills", [bin, "list", "--skill-dir", dir]),
  ];
  // Commands are short, so they get more rounds.
  const samples = await interleave(rounds * 2, [node, version, list]);
  return [
    { id: "command.version", subject: version, limit: 1.3 },
    { id: "command.list.100", subject: list, limit: 3 },
  ].map(({ id, subject: { name }, limit }) =>
    rowOf(SECTION, {
      id,
      name,
      unit: "ms",
      floorName: NODE,
      samples: { ours: samples.get(name) ?? [], floor: samples.get(NODE) ?? [] },
      limit,
    }),
  );
};
