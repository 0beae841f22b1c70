// Starts a host, types into it where it wants a terminal, and ends everything that it started.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

/** How long a host may take to end by itself once the model has said its last word. */
const GRACE_MS = 10_000;

/** A program on a terminal is ready for a user when it has drawn nothing for so long. */
const SETTLED_MS = 3_000;

/**
 * Runs a command until it ends, until the promise `over` is resolved and it had time to end, or until the time is up.
 * `type` is `{ isReady(screen), text }` for a program on a terminal.
 */
export async function runProcess({ command, args, cwd, env, type }, over, timeLimitMs) {
  const child = spawn(command, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"], detached: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  child.stdin.on("error", () => {});
  const ended = new Promise((resolve) => {
    child.on("error", (error) => resolve(`could not be started: ${error.message}`));
    child.on("exit", (code, signal) => resolve(code === 0 ? "ended" : `ended with ${code ?? signal}`));
  });
  // The group: the host and what it started.
  const end = () => child.pid !== undefined && signalTo(-child.pid, "SIGTERM");
  process.once("exit", end);
  const stop = new AbortController();
  const after = (ms, word) => pause(ms, word, { signal: stop.signal });
  if (type === undefined) child.stdin.end();
  else void typeText(child, () => output, type, stop.signal);
  const how = await Promise.race([
    ended,
    over.then(() => after(type === undefined ? GRACE_MS : 0, "stopped")),
    after(timeLimitMs, `not done after ${timeLimitMs / 1000} s`),
  ]);
  stop.abort();
  end();
  process.off("exit", end);
  return { how, output };
}

/** Types once the program is ready and draws nothing more, and presses Enter once the screen shows the text. */
async function typeText(child, screen, { isReady, text }, signal) {
  for (let drawn = "", since = Date.now(); !signal.aborted && Date.now() - since < SETTLED_MS; ) {
    if (drawn !== screen() || !isReady(drawn)) [drawn, since] = [screen(), Date.now()];
    await pause(100);
  }
  child.stdin.write(text);
  while (!signal.aborted && !screen().includes(text.slice(0, 10))) await pause(100);
  child.stdin.write("\r");
}

/** Ends what a host left behind on purpose: processes whose command or environment names the folder of this run. */
export async function endLeftovers(base) {
  for (const signal of ["SIGTERM", "SIGKILL"]) {
    for (let wait = 0; wait < 20 && processesOf(base).length > 0; wait++) {
      if (wait === 0) for (const pid of processesOf(base)) signalTo(pid, signal);
      await pause(100);
    }
  }
}

function processesOf(base) {
  if (!existsSync("/proc")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => textOf(`/proc/${pid}/cmdline`, `/proc/${pid}/environ`).includes(`${base}/`))
    .map(Number);
}

/** Processes end while they are looked at, and those of other users cannot be read. */
function textOf(...files) {
  try {
    return files.map((file) => readFileSync(file, "utf8")).join("\0");
  } catch {
    return "";
  }
}

function signalTo(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}
