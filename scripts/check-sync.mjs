// Runs the chaos test of git libraries with far more rounds than the tests do (`--rounds <n>`): commits, force-pushes, and
// servers that are ended with kill -9. Before it, a remote that hangs, with the time-out that users have.
import path from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt, root, run } from "./bootstrap.mjs";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "2000" } } });
ensureBuilt();
const vitest = path.join(root, "node_modules", ".bin", "vitest");
run(vitest, ["run", "test/e2e/git-hang.test.ts"], { env: { ...process.env, SKILLS_MCP_SYNC_PATIENCE: "1" } });
run(vitest, ["run", "test/e2e/git-chaos.test.ts"], {
  env: { ...process.env, SKILLS_MCP_SYNC_ROUNDS: values.rounds },
});
