// Gives a program of one system to processes of the other. Each connection is one process of the program: it gets what arrives as
// its input, and its output and its exit code are sent back. Under Wine the program is Windows' Node, because only a process of
// Windows can give another one pipes that Windows knows; on Linux it is git.
//   node bridge.mjs <file for the port> [program]
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import {
  EXIT,
  KILL,
  readFrames,
  START,
  STDERR,
  STDIN,
  STDIN_END,
  STDOUT,
  STDOUT_GONE,
  sendFrame,
} from "./frames.mjs";

/** What a process on Windows does not start, or not work, without. */
const NEEDED = [
  "SystemRoot",
  "SystemDrive",
  "ComSpec",
  "PATHEXT",
  "TEMP",
  "TMP",
  "ProgramData",
  "ProgramFiles",
  "NODE_SKIP_PLATFORM_CHECK",
  "SKILLS_MCP_TEST_GIT",
];

const [portFile, program = process.execPath] = process.argv.slice(2);
const isNode = program === process.execPath;

const server = createServer({ allowHalfOpen: true }, (socket) => {
  let child;
  socket.on("error", () => child?.kill("SIGKILL"));
  // Also when the launcher was killed: nothing else tells that.
  socket.on("close", () => child?.kill("SIGKILL"));
  readFrames(socket, (kind, content) => {
    if (kind === START) child = start(socket, JSON.parse(content));
    else if (kind === STDIN) child.stdin.write(content);
    else if (kind === STDIN_END) child.stdin.end();
    else if (kind === STDOUT_GONE) child.stdout.destroy();
    else if (kind === KILL) child.kill(String(content));
    // Said to the bridge, it is the bridge's own end.
    else if (kind === EXIT) process.exit();
  });
});
server.listen(0, "127.0.0.1", () => writeFileSync(portFile, String(server.address().port)));

function start(socket, { args, cwd, environment }) {
  const child = isNode
    ? spawn(program, ["--require", path.join(import.meta.dirname, "wine-gaps.cjs"), ...args], {
        cwd,
        env: ofWindows(environment),
        stdio: "pipe",
      })
    : spawn(program, args, { cwd, env: { ...environment, PATH: process.env.PATH }, stdio: "pipe" });
  // It may end before it has read everything.
  child.stdin.on("error", () => {});
  child.stdout.on("data", (data) => sendFrame(socket, STDOUT, data));
  child.stderr.on("data", (data) => sendFrame(socket, STDERR, data));
  child.on("error", (error) => end({ code: 1, signal: null }, error.message));
  child.on("close", (code, signal) => end({ code, signal }));
  return child;

  function end(result, message) {
    if (message !== undefined) sendFrame(socket, STDERR, `${message}\n`);
    sendFrame(socket, EXIT, JSON.stringify(result));
    socket.end();
  }
}

function ofWindows(environment) {
  const needed = Object.fromEntries(NEEDED.map((name) => [name, process.env[name]]));
  // A user of Node has it in PATH.
  const folders = [environment.Path, path.dirname(process.execPath), process.env.Path];
  return { ...needed, ...environment, Path: folders.filter(Boolean).join(";") };
}
