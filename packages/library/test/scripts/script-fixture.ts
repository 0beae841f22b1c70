import { readdirSync, readFileSync } from "node:fs";
import { afterAll, onTestFinished } from "vitest";
import { NO_LOG } from "#util";
import { logTo } from "../../../../test/support/log.ts";
import { createSandbox, DISK_FOLDER, type Sandbox } from "../../../../test/support/sandbox.ts";
import type { SandboxStatus, ScriptOutcome, ScriptRun } from "../../src/scripts/script-run.ts";
import {
  createScriptRunner,
  type ScriptRunner,
  type ScriptRunnerOptions,
} from "../../src/scripts/script-runner.ts";

/** What scripts can be run in on this machine: always nothing, and a sandbox where one works. */
export interface Layer {
  readonly layer: string;
  readonly policy: "off" | "required";
  readonly kind: SandboxStatus["kind"];
}

export async function sandboxHere(): Promise<SandboxStatus> {
  const runner = createScriptRunner({ policy: "preferred", environment: process.env, log: NO_LOG });
  return runner.sandbox();
}

export async function layersHere(): Promise<readonly Layer[]> {
  const { kind } = await sandboxHere();
  const floor: Layer = { layer: "without a sandbox", policy: "off", kind: "none" };
  return kind === "none" ? [floor] : [floor, { layer: `in ${kind}`, policy: "required", kind }];
}

export interface ScriptFixture {
  readonly sandbox: Sandbox;
  readonly runner: ScriptRunner;
  readonly log: readonly string[];
  /** A run of a bash script with this text, or of a file that is given. */
  plan(text: string, changes?: Partial<ScriptRun>): ScriptRun;
  run(text: string, changes?: Partial<ScriptRun>): Promise<ScriptOutcome>;
}

type Policy = ScriptRunnerOptions["policy"];

/** A library with a skill folder, and a runner whose server has a secret in its environment. */
export function createScriptFixture(
  policy: Policy,
  options: Partial<ScriptRunnerOptions> = {},
): ScriptFixture {
  // Not in memory: a sandbox has a /dev of its own.
  const sandbox = createSandbox(DISK_FOLDER);
  const log: string[] = [];
  const runner = createRunner(policy, sandbox.home, { log: logTo((line) => log.push(line)), ...options });
  onTestFinished(() => runner.close());
  return fixtureOf(sandbox, runner, log);
}

/**
 * Like `createScriptFixture`, for tests that need nothing of a runner of their own: those of a file share one, since each
 * begins with two processes that prove the sandbox.
 */
export function shareRunners(): (policy: Policy) => ScriptFixture {
  const runners = new Map<Policy, ScriptRunner>();
  const ends: (() => void | Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });
  return (policy) => {
    let runner = runners.get(policy);
    if (runner === undefined) {
      const { home } = createSandbox(DISK_FOLDER, (end) => ends.push(end));
      runner = createRunner(policy, home);
      ends.push(runner.close);
      runners.set(policy, runner);
    }
    return fixtureOf(createSandbox(DISK_FOLDER), runner, []);
  };
}

function createRunner(
  policy: Policy,
  home: string,
  options: Partial<ScriptRunnerOptions> = {},
): ScriptRunner {
  return createScriptRunner({
    policy,
    environment: {
      PATH: process.env["PATH"],
      HOME: home,
      LANG: "C.UTF-8",
      GITHUB_TOKEN: "canary-token",
      NODE_OPTIONS: "--no-warnings",
    },
    log: NO_LOG,
    // Tests must say the same whoever runs them.
    isRoot: false,
    graceMs: 200,
    cancelGraceMs: 200,
    ...options,
  });
}

function fixtureOf(sandbox: Sandbox, runner: ScriptRunner, log: readonly string[]): ScriptFixture {
  const plan = (text: string, changes: Partial<ScriptRun> = {}): ScriptRun => ({
    file: changes.file ?? sandbox.write(`library/ui/scripts/${uniqueNumber()}.sh`, text),
    content: changes.file === undefined ? Buffer.from(text) : readFileSync(changes.file),
    root: sandbox.path("library"),
    label: "ui: scripts/x.sh",
    folders: [sandbox.path("library/ui")],
    cwd: sandbox.path("library/ui"),
    cwdWritable: false,
    trusted: [],
    runner: ["bash"],
    args: {},
    network: false,
    timeoutMs: 30_000,
    maxOutputBytes: 1024 ** 2,
    ...changes,
  });
  return { sandbox, runner, log, plan, run: async (text, changes) => runner.run(plan(text, changes)) };
}

/** For `sleep`: a duration that no other process of the machine sleeps for, so that survivors can be found by it. */
export const uniqueNumber = (): string => `3${Math.random().toString().slice(2, 14)}`;

/** The command lines of all processes of the machine that hold a text. */
export function processesWith(text: string): readonly string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      } catch {
        return "";
      }
    })
    .filter((line) => line.includes(text));
}
