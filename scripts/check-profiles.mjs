// Runs the property test of profiles with far more catalogues than the tests do.
import path from "node:path";
import { ensureInstalled, root, run } from "./bootstrap.mjs";

ensureInstalled();
run(
  path.join(root, "node_modules", ".bin", "vitest"),
  ["run", "packages/server/test/doors/profiles.property.test.ts"],
  {
    env: { ...process.env, SKILLS_MCP_PROFILE_RUNS: process.env["SKILLS_MCP_PROFILE_RUNS"] ?? "2000" },
  },
);
