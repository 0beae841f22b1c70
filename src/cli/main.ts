import type { Terminal } from "./command.ts";
import { createStyle } from "./render/style.ts";
import { run } from "./run.ts";

/** The process itself: the only place that touches its streams and ends it. */
const { stdout, stderr } = process;

/** One event is one line, and no hostile file name makes it a page. */
const LONGEST_LINE = 8 * 1024;

const terminal: Terminal = {
  print: (text) => void stdout.write(text),
  say: (line) =>
    void stderr.write(`${line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line}\n`),
  style: createStyle(stdout.isTTY, process.env),
  width: stdout.isTTY ? stdout.columns : undefined,
};

// A reader that stops early (`| head -1`) is not an error.
for (const stream of [stdout, stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? 0 : 1);
  });
}

void run(process.argv.slice(2), terminal, () => process.stdin.isTTY).then((code) => {
  // Everything is closed by now; what is buffered is still written.
  stdout.write("", () => process.exit(code));
});
