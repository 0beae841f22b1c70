// Runs the chaos test of git libraries with far more rounds than the tests do (`npm run check:sync -- --rounds <n>`): commits,
// force-pushes and servers killed with SIGKILL. Before that, a remote that hangs, with the timeout that users have.
import path from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, root, run } from "./bootstrap.mjs";

/** Rounds that share a cache. After them it must have converged, and the next one begins. */
const ROUNDS_OF_ONE = 250;

const { values } = parseArgs({ options: { rounds: { type: "string", default: "2000" } } });
ensureBuilt();
const test = (name, variables) =>
  run(path.join(root, "node_modules", ".bin", "vitest"), ["run", `test/e2e/${name}.test.ts`], {
    env: { ...process.env, ...variables },
  });

test("git-hang", { SKILLS_MCP_SYNC_PATIENCE: "1" });
for (let left = Number(values.rounds); left > 0; left -= ROUNDS_OF_ONE)
  test("git-chaos", { SKILLS_MCP_SYNC_ROUNDS: String(Math.min(left, ROUNDS_OF_ONE)) });
