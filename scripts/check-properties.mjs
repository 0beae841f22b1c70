// Runs the property tests of pure code with 20 times as many rounds as the tests do.
import path from "node:path";
import { ensureInstalled, root, run } from "./bootstrap.mjs";

const FOLDERS = ["catalog", "connect", "search", "skill", "sources/archive", "usage/record"];

ensureInstalled();
run(
  path.join(root, "node_modules", ".bin", "vitest"),
  ["run", "--testTimeout=1200000", ...FOLDERS.map((folder) => `test/${folder}`)],
  { env: { ...process.env, SKILLS_MCP_ROUNDS: process.env["SKILLS_MCP_ROUNDS"] ?? "20" } },
);
