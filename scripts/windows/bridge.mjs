// Runs with Windows' Node under Wine, because only a process of Windows can give another one pipes that Windows knows. Each
// connection is one process: it gets what arrives as its input, and its output and its exit code are sent back.
//   node.exe bridge.mjs <file for the port>
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { EXIT, KILL, readFrames, START, STDERR, STDIN, STDIN_END, STDOUT, sendFrame } from "./frames.mjs";

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
];

const SOCKETS = path.join(import.meta.dirname, "wine-sockets.cjs");

const server = createServer({ allowHalfOpen: true }, (socket) => {
  let child;
  socket.on("error", () => child?.kill("SIGKILL"));
  // Also when the launcher was killed: nothing else tells that.
  socket.on("close", () => child?.kill("SIGKILL"));
  readFrames(socket, (kind, content) => {
    if (kind === START) child = start(socket, JSON.parse(content));
    else if (kind === STDIN) child.stdin.write(content);
    else if (kind === STDIN_END) child.stdin.end();
    else if (kind === KILL) child.kill(String(content));
    // Said to the bridge, it is the bridge's own end.
    else if (kind === EXIT) process.exit();
  });
});
server.listen(0, "127.0.0.1", () => writeFileSync(process.argv[2], String(server.address().port)));

function start(socket, { args, cwd, environment }) {
  const needed = Object.fromEntries(NEEDED.map((name) => [name, process.env[name]]));
  // A user of Node has it in PATH.
  const folders = [environment.Path, path.dirname(process.execPath), process.env.Path];
  const env = { ...needed, ...environment, Path: folders.filter(Boolean).join(";") };
  const child = spawn(process.execPath, ["--require", SOCKETS, ...args], { cwd, env, stdio: "pipe" });
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
