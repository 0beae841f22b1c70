// Runs the property tests of pure code with 20 times as many rounds as the tests do.
import path from "node:path";
import { ensureInstalled, root, run } from "./bootstrap.mjs";

const FOLDERS = [
  "agents/test/documents",
  "library/test/matching",
  "search/test",
  "skills/test/catalog",
  "server/test/mcp/describe",
  "skills/test/skill",
  "sources/test/archive",
  "usage/test/record",
  "util/test/pure",
];

ensureInstalled();
run(
  path.join(root, "node_modules", ".bin", "vitest"),
  ["run", "--testTimeout=1200000", ...FOLDERS.map((folder) => `packages/${folder}`)],
  { env: { ...process.env, SKILLS_MCP_ROUNDS: process.env["SKILLS_MCP_ROUNDS"] ?? "20" } },
);
