// Kills `add`, `update` and `sync` far more often than the tests do (`npm run check:install -- [kills]`), runs as many random commands
// with kills at any file call, on one and on two file systems, with clocks that jump, and the real
// `skills` tool from npm on the same project, home folder and locks, in both directions, over a repository on loopback.
import path from "node:path";
import { ensureBuilt, root, run } from "./bootstrap.mjs";
import { installTools } from "./install-tools.mjs";

ensureBuilt();
const tools = installTools("skills-cli", { node: "22.23.3", skills: "1.7.4" });
const env = {
  ...process.env,
  SKILLS_MCP_INSTALL_KILLS: process.argv[2] ?? "200",
  SKILLS_MCP_SKILLS_CLI: path.join(tools, "skills", "bin", "cli.mjs"),
  SKILLS_MCP_SKILLS_NODE: path.join(tools, "node", "bin", "node"),
};
const vitest = path.join(root, "node_modules", ".bin", "vitest");
run(vitest, ["run", "test/e2e/install-skills-cli.test.ts", "test/e2e/install-kills.test.ts"], { env });
