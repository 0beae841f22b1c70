import { grouped, type Section } from "../bench.ts";
import { percentile, timed } from "../measure.ts";
import { rowOf } from "../report/row.ts";
import { runToEnd } from "../stdio-client.ts";

const SECTION = "A hook before a prompt";
const NODE = "node -e 0";
const CLIENT = "claude-code";
const SKILLS = 1_000;

/** From spawning `hook run` with a prompt to its end, which an agent waits for. */
export const measureHook: Section = async ({ options, workspace, progress }) => {
  const size = Math.min(SKILLS, Math.max(...options.sizes));
  const { dir, skills } = workspace.readOnlyCorpus(size);
  const hook = (verb: string): readonly string[] => [options.bin, "hook", verb, CLIENT, "--skill-dir", dir];
  const words = (skills[size >> 1]?.name ?? "").replaceAll("-", " ");
  const prompt = `please ${words} and verify each step`;
  const event = JSON.stringify({ hook_event_name: "UserPromptSubmit", cwd: workspace.project, prompt });
  const run = async (): Promise<void> => {
    if ((await runToEnd(hook("run"), workspace, event)) === "") throw new Error(`No skill for '${prompt}'.`);
  };
  progress(`hook run: ${grouped(size)} skills, the index that it reads`);
  await runToEnd(hook("refresh"), workspace);
  // The first one does not count: it caches its code.
  await run();
  const rounds: { ours: number[]; node: number[] }[] = [];
  const runs = Math.ceil(options.calls / 5);
  for (let round = 1; round <= options.rounds; round++) {
    progress(`hook run: ${grouped(size)} skills, round ${round} of ${options.rounds}`);
    const times = { ours: [] as number[], node: [] as number[] };
    for (let index = 0; index < runs; index++) {
      times.node.push(await timed(() => runToEnd(["-e", "0"], workspace, event)));
      times.ours.push(await timed(run));
    }
    rounds.push(times);
  }
  return (["p50", "p99"] as const).map((p) => {
    const share = p === "p50" ? 0.5 : 0.99;
    return rowOf(SECTION, {
      id: `hook.${p}.${size}`,
      name: `hook run ${p}, ${grouped(size)} skills`,
      unit: "ms",
      floorName: NODE,
      samples: {
        ours: rounds.map((times) => percentile(times.ours, share)),
        floor: rounds.map((times) => percentile(times.node, share)),
      },
      ...(p === "p99" ? { limit: 60, limitOf: "ours" } : {}),
    });
  });
};
