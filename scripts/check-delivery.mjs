// Kills servers far more often than the tests do (`npm run check:delivery -- [kills]`) and checks that no event is lost: real
// servers as agents start them, and processes that only record, which can be killed at more exact moments.
import path from "node:path";
import { ensureBuilt, root, run } from "./bootstrap.mjs";

ensureBuilt();
const vitest = path.join(root, "node_modules", ".bin", "vitest");
const env = { ...process.env, SKILLS_MCP_DELIVERY_KILLS: process.argv[2] ?? "500" };
run(vitest, ["run", "test/e2e/usage-kills.test.ts", "packages/usage/test/delivery.chaos.test.ts"], { env });
