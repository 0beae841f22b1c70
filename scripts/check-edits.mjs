// Runs the property tests of the scanner's cache with far more edit sequences than the tests do.
import path from "node:path";
import { ensureInstalled, root, run } from "./bootstrap.mjs";

ensureInstalled();
run(
  path.join(root, "node_modules", ".bin", "vitest"),
  [
    "run",
    "packages/skills/test/registry/edits.property.test.ts",
    "packages/skills/test/registry/dirty.property.test.ts",
  ],
  {
    env: { ...process.env, SKILLS_MCP_EDIT_SEQUENCES: "5000" },
  },
);
