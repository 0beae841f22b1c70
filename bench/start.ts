// How long until a client has its `initialize` answer, and a person the end of a command?
import { readArguments } from "./arguments.ts";
import {
  figure,
  interleave,
  median,
  percentile,
  type Row,
  ratio,
  type Subject,
  table,
  timed,
} from "./measure.ts";
import { BARE_SERVER, EMPTY_SDK_SERVER, ourServer } from "./servers.ts";
import { runToEnd, withServer } from "./stdio-client.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

const { rounds, sizes, bin } = readArguments({ rounds: 11, sizes: [0, 100, 10_000] });
const workspace = createWorkspace();

const BARE = "bare Node server";
const SDK = "empty SDK server, not bundled";
const NODE = "node -e 0";

const servers: readonly Subject[] = [
  starting(BARE, BARE_SERVER, workspace),
  starting(SDK, EMPTY_SDK_SERVER, workspace),
  ...sizes.map((size) =>
    starting(`skills-mcp, ${size} skills`, ourServer(bin, workspace.corpus(size).dir), workspace),
  ),
];
const commands: readonly Subject[] = [
  running(NODE, ["-e", "0"], workspace),
  running("skills-mcp --version", [bin, "--version"], workspace),
  running("skills-mcp list, 100 skills", [bin, "list", "--skill-dir", workspace.corpus(100).dir], workspace),
];

const samples = await interleave(rounds, [...servers, ...commands]);
const rowsOf = (subjects: readonly Subject[], floors: readonly string[]): Row[] =>
  subjects.map(({ name }) => {
    const values = samples.get(name) ?? [];
    const middle = median(values);
    const figures = [middle, percentile(values, 0), percentile(values, 0.9)].map(figure);
    return [name, ...figures, ...floors.map((floor) => ratio(middle, median(samples.get(floor) ?? [])))];
  });

console.log(`Start-up in ms, ${rounds} interleaved rounds\n`);
console.log(
  table(
    ["", "median", "min", "p90", "to Node", "to the SDK"],
    [
      { heading: "spawn → initialize answered" },
      ...rowsOf(servers, [BARE, SDK]),
      { heading: "spawn → end of the command" },
      ...rowsOf(commands, [NODE]),
    ],
  ),
);

function starting(name: string, args: readonly string[], workspace: Workspace): Subject {
  return {
    name,
    measure() {
      const start = performance.now();
      return withServer(args, workspace, async () => performance.now() - start);
    },
  };
}

function running(name: string, args: readonly string[], workspace: Workspace): Subject {
  return { name, measure: () => timed(() => runToEnd(args, workspace)) };
}
