// `npm start`: serves the skills of this machine and the bundled examples, and prints how to connect an agent.
import { spawn } from "node:child_process";
import path from "node:path";
import { ensureBuilt, root } from "./bootstrap.mjs";

ensureBuilt();
const cli = path.join(root, "dist", "cli.js");
const server = spawn(process.execPath, [cli, "serve", "--examples", ...process.argv.slice(2)], {
  stdio: "inherit",
});
// A terminal signals the whole group, a supervisor only us.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => server.kill("SIGTERM"));
server.on("exit", (code) => {
  process.exitCode = code ?? 1;
});
