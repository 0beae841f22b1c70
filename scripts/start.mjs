#!/usr/bin/env node
// `npm start`, `npm run connect`, the GitHub action and the pre-commit hooks: runs a command of a fresh clone, which is
// installed and built first if needed.
import { spawn } from "node:child_process";
import path from "node:path";
import { ensureBuilt, root } from "./bootstrap.mjs";

ensureBuilt();
const cli = path.join(root, "dist", "cli.js");
const program = spawn(process.execPath, [cli, ...process.argv.slice(2)], {
  stdio: "inherit",
});
// A terminal signals the whole group, a supervisor only us.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => program.kill("SIGTERM"));
program.on("exit", (code) => {
  process.exitCode = code ?? 1;
});
