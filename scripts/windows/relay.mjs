import { connect } from "node:net";
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

/**
 * Starts the program of a bridge, and is this process' input, output and end. `stdin` makes of what
 * sends input something to write it to, `stdout` and `stderr` take each piece of the program's output, and `flush` is called at
 * its end.
 */
export function relay(port, started, { stdin, stdout, stderr, flush }) {
  const socket = connect(Number(port), "127.0.0.1");
  socket.on("error", (error) => {
    process.stderr.write(`The bridge to the other system does not answer: ${error.message}\n`);
    process.exit(1);
  });
  sendFrame(socket, START, JSON.stringify(started));
  const input = stdin((data) => sendFrame(socket, STDIN, data));
  process.stdin.on("data", input.write);
  process.stdin.on("end", () => {
    input.end();
    sendFrame(socket, STDIN_END);
  });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
    process.on(signal, () => sendFrame(socket, KILL, signal));
  process.stdout.on("error", () => sendFrame(socket, STDOUT_GONE));
  readFrames(socket, (kind, content) => {
    if (kind === STDOUT) stdout(content);
    else if (kind === STDERR) stderr(content);
    else if (kind === EXIT) end(JSON.parse(content));
  });

  function end({ code, signal }) {
    flush();
    process.stdin.destroy();
    process.exitCode = code ?? 1;
    if (signal === null) return;
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
}
