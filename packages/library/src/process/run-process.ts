import type { ChildProcess } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { constants, devNull } from "node:os";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { spawnGroup } from "#util";
import { createCappedOutput, createLineFeed, createLineLimit } from "./process-output.ts";
import type { ProcessEnding } from "./process-tree.ts";

export interface ProcessLaunch {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether the program reports about itself on a fourth pipe, `child.stdio[3]`. */
  readonly reports: boolean;
  /** Open descriptors that the program gets after those. */
  readonly passed: readonly number[];
  /** Descriptors that it must not get. */
  readonly inherited: readonly number[];
  /** Called right after the start. */
  readonly ending: (child: ChildProcess) => ProcessEnding;
}

export interface ProcessLimits {
  readonly timeoutMs: number;
  /** From asking to killing, after a timeout. */
  readonly graceMs: number;
  /** From asking to killing, after `signal` was aborted. */
  readonly cancelGraceMs: number;
  /** Of each output. The rest is read and dropped, so that the program runs on. */
  readonly maxOutputBytes: number;
  /** One that writes more than this to disks is killed, where that is known. Default: no limit. */
  readonly diskBytes?: number;
}

export interface ProcessEnd {
  readonly why: "exit" | "timeout" | "disk" | "cancelled";
  /** 128 plus the signal's number for a process that a signal ended. */
  readonly exitCode: number;
  readonly stdout: { readonly text: string; readonly cut: boolean };
  readonly stderr: { readonly text: string; readonly cut: boolean };
  readonly durationMs: number;
}

/** A longer timer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const IDLE_MS = 100;
/** A fast disk takes about 100 MB in this time. */
const DISK_CHECK_MS = 50;
const LONGEST_DRAIN_MS = 2000;

/** Runs one process to its end; rejects only when it cannot be started. */
export async function runProcess(
  launch: ProcessLaunch,
  limits: ProcessLimits,
  signal: AbortSignal,
  onLine?: (line: string) => void,
): Promise<ProcessEnd> {
  const started = performance.now();
  const child = start(launch);
  const ending = launch.ending(child);
  const exit = exitOf(child);
  const stopper = createStopper(ending, limits, signal);
  const outputs = collectOutputs(child, limits, onLine);
  const { diskBytes = Number.POSITIVE_INFINITY } = limits;
  const watch = setInterval(() => {
    // Without a grace period, in which it could write as much again.
    if ((ending.written?.() ?? 0) > diskBytes) stopper.stop("disk", 0);
  }, DISK_CHECK_MS);
  try {
    const exitCode = await exit;
    stopper.exited();
    const durationMs = Math.round(performance.now() - started);
    await ending.force();
    await drained(child, outputs.seen);
    return { why: stopper.why(), exitCode, ...outputs.read(), durationMs };
  } finally {
    clearInterval(watch);
    stopper.close();
    for (const stream of child.stdio) stream?.destroy();
  }
}

function start({ command, args, cwd, environment, reports, passed, inherited }: ProcessLaunch): ChildProcess {
  const stdio: StdioEntry[] = ["ignore", "pipe", "pipe", ...(reports ? ["pipe" as const] : []), ...passed];
  const taken = stdio.length;
  const rest = inherited.filter((descriptor) => descriptor >= taken);
  // Only a shell could close them; instead the program gets the null device under their numbers.
  const nothing = rest.length === 0 ? undefined : openSync(devNull, "r");
  try {
    if (nothing !== undefined) for (const descriptor of rest) stdio[descriptor] = nothing;
    return spawnGroup(command, args, {
      cwd,
      env: { ...environment },
      stdio: Array.from(stdio, (entry) => entry ?? "ignore"),
    });
  } finally {
    if (nothing !== undefined) closeSync(nothing);
  }
}

type StdioEntry = "ignore" | "pipe" | number;

/** Asks a process to end at its time limit or when it is cancelled, and forces it after a grace period. */
function createStopper(ending: ProcessEnding, limits: ProcessLimits, signal: AbortSignal) {
  let why: ProcessEnd["why"] = "exit";
  let exited = false;
  let forceTimer: NodeJS.Timeout | undefined;
  const stop = (reason: ProcessEnd["why"], graceMs: number): void => {
    // The caller that cancels waits for the end, so a cancellation shortens the grace period of a timeout.
    if (exited || (why !== "exit" && reason !== "cancelled")) return;
    why = reason;
    clearTimeout(forceTimer);
    ending.ask();
    forceTimer = setTimeout(() => void ending.force(), graceMs);
  };
  const timeoutMs = Math.min(limits.timeoutMs, LONGEST_TIMER_MS);
  const timer = setTimeout(() => stop("timeout", limits.graceMs), timeoutMs);
  const cancel = (): void => stop("cancelled", limits.cancelGraceMs);
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  return {
    stop,
    why: (): ProcessEnd["why"] => why,
    exited(): void {
      exited = true;
      clearTimeout(timer);
    },
    close(): void {
      clearTimeout(timer);
      clearTimeout(forceTimer);
      signal.removeEventListener("abort", cancel);
    },
  };
}

function collectOutputs(
  child: ChildProcess,
  { maxOutputBytes }: ProcessLimits,
  onLine: ((line: string) => void) | undefined,
) {
  const mayGive = createLineLimit(() => performance.now());
  const collect = (stream: Readable | null) => {
    const stored = createCappedOutput(maxOutputBytes);
    const feed = onLine === undefined ? undefined : createLineFeed(onLine, mayGive);
    stream?.on("data", (chunk: Buffer) => {
      stored.push(chunk);
      feed?.push(chunk);
    });
    // The exit status says more than a broken pipe.
    stream?.on("error", () => {});
    return { stored, feed };
  };
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  return {
    seen: (): number => stdout.stored.seen() + stderr.stored.seen(),
    read() {
      stdout.feed?.end();
      stderr.feed?.end();
      return { stdout: stdout.stored.read(), stderr: stderr.stored.read() };
    },
  };
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on("error", (error) => {
      // Also emitted when a signal could not be sent; then the process runs, and its exit counts.
      if (child.pid === undefined) reject(error);
    });
    child.once("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? "SIGKILL"]));
  });
}

/** Waits for the end of the pipes, but only while data arrives: a surviving process may hold them open for ever. */
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
    await Promise.race([ended, sleep(IDLE_MS)]);
    // After a stall the timer fires first; this reads what the pipes already contain.
    await new Promise(setImmediate);
  }
}
