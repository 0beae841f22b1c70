// Loaded before each script under Wine, to fill two gaps of it.
const { ChildProcess } = require("node:child_process");
const path = require("node:path");

// Its sockets take no time for keep-alive: with one, as fetch sets it, none connects.
const { TCP } = process.binding("tcp_wrap");
TCP.prototype.setKeepAlive = () => 0;

// There is no git for Windows, so Linux' git is started in its place.
const { spawn } = ChildProcess.prototype;
ChildProcess.prototype.spawn = function (options) {
  const isGit = path.basename(options.file, ".exe") === "git";
  if (!isGit || process.env.SKILLS_MCP_TEST_GIT === undefined) return spawn.call(this, options);
  const [, ...args] = options.args;
  const git = path.join(__dirname, "git.mjs");
  const words = [process.execPath, git, process.env.SKILLS_MCP_TEST_GIT, ...args];
  return spawn.call(this, { ...options, file: process.execPath, args: words });
};
