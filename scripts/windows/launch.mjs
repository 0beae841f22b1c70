// Stands in for Node on Linux: starts Windows' Node with the same arguments through the bridge and passes on its input, its
// output and its end. The end-to-end tests know folders of Linux only, so paths are translated on the way.
//   node launch.mjs <port of the bridge> <arguments of Node …>
import { connect } from "node:net";
import { EXIT, KILL, readFrames, START, STDERR, STDIN, STDIN_END, STDOUT, sendFrame } from "./frames.mjs";
import { linesOf, toLinux, toWindows, windowsEnvironment } from "./paths.mjs";

const [port, ...args] = process.argv.slice(2);
const socket = connect(Number(port), "127.0.0.1");
socket.on("error", (error) => {
  process.stderr.write(`The bridge to Windows does not answer: ${error.message}\n`);
  process.exit(1);
});
sendFrame(
  socket,
  START,
  JSON.stringify({
    args: args.map(toWindows),
    cwd: toWindows(process.cwd()),
    environment: windowsEnvironment(process.env),
  }),
);
process.stdin.on("data", (data) => sendFrame(socket, STDIN, data));
process.stdin.on("end", () => sendFrame(socket, STDIN_END));
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
  process.on(signal, () => sendFrame(socket, KILL, signal));
const stdout = linesOf((line) => process.stdout.write(toLinux(line)));
const stderr = linesOf((line) => process.stderr.write(toLinux(line)));
readFrames(socket, (kind, content) => {
  if (kind === STDOUT) stdout.write(content);
  else if (kind === STDERR) stderr.write(content);
  else if (kind === EXIT) end(JSON.parse(content));
});
// What reads the output may be gone, as with a pipe.
process.stdout.on("error", () => process.exit(1));

function end({ code, signal }) {
  stdout.end();
  stderr.end();
  process.stdin.destroy();
  process.exitCode = code ?? 1;
  if (signal === null) return;
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}
