import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { createCappedOutput } from "./capped-output.ts";
import { createLineFeed, createLineLimit } from "./line-feed.ts";
import type { ProcessEnding } from "./process-ending.ts";

export interface ProcessLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether the program reports about itself on a fourth pipe, `child.stdio[3]`. */
  readonly reports: boolean;
  /** Called at once after the start. */
  readonly ending: (child: ChildProcess) => ProcessEnding;
}

export interface ProcessLimits {
  readonly timeoutMs: number;
  /** From asking to forcing, after a time-out or a flood. */
  readonly graceMs: number;
  /** The same, after `signal`. */
  readonly cancelGraceMs: number;
  readonly maxOutputBytes: number;
  /** A script that writes more than this to one output is ended. */
  readonly floodBytes: number;
}

export interface ProcessEnd {
  readonly why: "exit" | "timeout" | "flood" | "cancelled";
  /** 128 and the signal's number for a process that died of one. */
  readonly exitCode: number;
  readonly stdout: { readonly text: string; readonly cut: boolean };
  readonly stderr: { readonly text: string; readonly cut: boolean };
  readonly durationMs: number;
}

/** A longer timer would ring at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const QUIET_MS = 100;
const LONGEST_DRAIN_MS = 2000;

/** Runs one process to its end, whatever that takes; rejects only when it cannot be started. */
export async function runProcess(
  launch: ProcessLaunch,
  limits: ProcessLimits,
  signal: AbortSignal,
  onLine?: (line: string) => void,
): Promise<ProcessEnd> {
  const started = performance.now();
  const child = spawn(launch.command, launch.args, {
    cwd: launch.cwd,
    env: { ...launch.environment },
    shell: false,
    // A group of its own, so that one signal reaches all of it.
    detached: process.platform !== "win32",
    windowsHide: true,
    stdio: launch.reports ? ["ignore", "pipe", "pipe", "pipe"] : ["ignore", "pipe", "pipe"],
  });
  const ending = launch.ending(child);
  const exit = exitOf(child);
  const stdout = createCappedOutput(limits.maxOutputBytes);
  const stderr = createCappedOutput(limits.maxOutputBytes);

  let why: ProcessEnd["why"] = "exit";
  let exited = false;
  let forceTimer: NodeJS.Timeout | undefined;
  const end = (reason: ProcessEnd["why"], graceMs: number): void => {
    // Whoever cancels waits for the end, and is not made to wait as long as a script that ran out of time may take.
    if (exited || (why !== "exit" && reason !== "cancelled")) return;
    why = reason;
    clearTimeout(forceTimer);
    ending.ask();
    forceTimer = setTimeout(() => void ending.force(), graceMs);
  };
  const timer = setTimeout(
    () => end("timeout", limits.graceMs),
    Math.min(limits.timeoutMs, LONGEST_TIMER_MS),
  );
  const cancel = (): void => end("cancelled", limits.cancelGraceMs);
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();

  const mayGive = createLineLimit(() => performance.now());
  const outputs = [
    { stream: child.stdout, kept: stdout },
    { stream: child.stderr, kept: stderr },
  ].map(({ stream, kept }) => {
    const feed = onLine === undefined ? undefined : createLineFeed(onLine, mayGive);
    stream?.on("data", (chunk: Buffer) => {
      kept.push(chunk);
      feed?.push(chunk);
      if (kept.seen() > limits.floodBytes) end("flood", limits.graceMs);
    });
    // A pipe that breaks tells nothing that the exit does not tell.
    stream?.on("error", () => {});
    return { stream, feed };
  });

  try {
    const exitCode = await exit;
    exited = true;
    const durationMs = Math.round(performance.now() - started);
    clearTimeout(timer);
    await ending.force();
    await drained(child, () => stdout.seen() + stderr.seen());
    outputs.forEach(({ feed }) => feed?.end());
    return { why, exitCode, stdout: stdout.read(), stderr: stderr.read(), durationMs };
  } finally {
    clearTimeout(timer);
    clearTimeout(forceTimer);
    signal.removeEventListener("abort", cancel);
    for (const stream of child.stdio) stream?.destroy();
  }
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on("error", (error) => {
      // Also told when a signal could not be sent; then the process runs and its exit counts.
      if (child.pid === undefined) reject(error);
    });
    child.once("exit", (code, signal) => resolve(code ?? 128 + (signal === null ? 9 : signalNumber(signal))));
  });
}

/** Waits for the end of the pipes, but only while something still comes: a survivor may hold them open for ever. */
async function drained(child: ChildProcess, seen: () => number): Promise<void> {
  const streams = child.stdio.slice(1).filter((stream) => stream instanceof Readable);
  const isOpen = (stream: Readable): boolean => !stream.closed && !stream.readableEnded;
  const ended = Promise.all(
    streams
      .filter(isOpen)
      .map((stream) => new Promise((resolve) => stream.once("end", resolve).once("close", resolve))),
  );
  const deadline = performance.now() + LONGEST_DRAIN_MS;
  let before = -1;
  while (streams.some(isOpen) && before !== seen() && performance.now() < deadline) {
    before = seen();
    await Promise.race([ended, sleep(QUIET_MS)]);
    // After a stall the timer comes first; what the pipes already hold is read before it is judged.
    await new Promise(setImmediate);
  }
}

const signalNumber = (signal: NodeJS.Signals): number => constants.signals[signal];
