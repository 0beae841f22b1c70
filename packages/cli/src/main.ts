import { Refusal } from "#util/pure";
import type { PickChoice, Terminal } from "./command.ts";
import { createStyle, hasColours, terminalWidth } from "./render/text.ts";
import { run } from "./run.ts";
import type { EarlyStart } from "./start/answer-early.ts";
import { chosenColours } from "./terminal-log.ts";

// The only file that uses the streams of the process and ends it.

/** A reader that stops early (`| head -1`) is not an error; a full disk is. */
const onError = ({ code, message }: NodeJS.ErrnoException): void => {
  if (code !== "EPIPE") process.stderr.write(`skills-mcp: cannot write the output: ${message}.\n`);
  process.exit(code === "EPIPE" ? 0 : 1);
};

/** Runs the command line of this process, then ends it. */
export function main(early: EarlyStart | undefined): void {
  const { stdout } = process;
  const args = process.argv.slice(2);
  stdout.on("error", onError);
  void run(args, terminalOf(args, early), () => process.stdin.isTTY).then((code) => {
    // Everything is closed by now; what is buffered is still written.
    stdout.write("", () => process.exit(code));
  });
}

function terminalOf(args: readonly string[], early: EarlyStart | undefined): Terminal {
  const { stdout } = process;
  const colours = chosenColours(args);
  const ifFailed = (error: Error | null | undefined): void => {
    if (error) onError(error);
  };
  return {
    print: (text) => void stdout.write(text, ifFailed),
    logLine: (line) => void errors().write(`${line}\n`),
    style: createStyle(colours ?? hasColours(stdout)),
    get errorStyle() {
      return createStyle(colours ?? hasColours(errors()));
    },
    width: terminalWidth(stdout),
    get ask() {
      return process.stdin.isTTY && errors().isTTY ? askOnTerminal : undefined;
    },
    get askSecret() {
      return process.stdin.isTTY
        ? (question: string) => askOnTerminal(question, { isSecret: true })
        : undefined;
    },
    get pick() {
      return process.stdin.isTTY && errors().isTTY ? pickOnTerminal : undefined;
    },
    stdio: process,
    early,
  };
}

/** Asks a person. Ctrl+D gives an empty answer, and Ctrl+C is a `Refusal`. Of a secret nothing is shown. */
async function askOnTerminal(question: string, { isSecret = false } = {}): Promise<string> {
  const [{ createInterface }, { Writable }] = await Promise.all([
    import("node:readline"),
    import("node:stream"),
  ]);
  // The terminal itself does not echo in this mode; what is typed is written to where nobody sees it.
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = isSecret ? unseen : errors();
  const reader = createInterface({ input: process.stdin, output, terminal: true });
  if (isSecret) errors().write(question);
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    reader.once("SIGINT", () => {
      reject(new Refusal("Stopped with Ctrl+C.", { code: "interrupted" }));
      reader.close();
    });
    reader.once("close", () => {
      // What is printed next must not begin on the line of the question.
      if (!isAnswered || isSecret) errors().write("\n");
      resolve("");
    });
    reader.question(question, (answer) => {
      isAnswered = true;
      resolve(answer);
      reader.close();
    });
  });
}

async function pickOnTerminal(message: string, choices: readonly PickChoice[]) {
  const picker = await import("./pick-on-terminal.ts");
  return picker.pickOnTerminal(message, choices, process);
}

/** Standard error, set up on first use: that takes a while, and most commands do not need it. */
function errors(): NodeJS.WriteStream {
  const { stderr } = process;
  if (stderr.listenerCount("error") === 0) stderr.on("error", onError);
  return stderr;
}
