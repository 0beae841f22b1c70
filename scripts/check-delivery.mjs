// Kills servers far more often than the tests do (`node scripts/check-delivery.mjs [kills]`), and looks for events that were
// lost: real servers as agents start them, and recorders that do nothing else and so are killed at more exact moments.
import path from "node:path";
import { ensureBuilt, root, run } from "./bootstrap.mjs";

ensureBuilt();
const vitest = path.join(root, "node_modules", ".bin", "vitest");
const env = { ...process.env, SKILLS_MCP_DELIVERY_KILLS: process.argv[2] ?? "500" };
run(vitest, ["run", "test/e2e/usage-kills.test.ts", "test/usage/delivery.chaos.test.ts"], { env });
