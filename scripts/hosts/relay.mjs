// Runs between a host and the server on stdio, passes every byte on, and writes each message to a file.
//   node relay.mjs <file> <command> [arguments…]
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";

const [file, command, ...args] = process.argv.slice(2);
const server = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });

/** Writes down every whole line of a stream. A chunk may end in the middle of a line or of a character. */
function record(from) {
  const decoder = new TextDecoder();
  let rest = "";
  return (chunk) => {
    rest += decoder.decode(chunk, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop();
    for (const line of lines.filter((text) => text.trim() !== "")) {
      appendFileSync(file, `${JSON.stringify({ from, line })}\n`);
    }
  };
}

process.stdin.on("data", record("host")).pipe(server.stdin);
server.stdout.on("data", record("server")).pipe(process.stdout);
for (const stream of [server.stdin, process.stdout]) stream.on("error", () => {});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => server.kill(signal));
server.on("exit", (code) => process.exit(code ?? 1));
