import { spawn, spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Sandbox } from "./sandbox.ts";
import { waitUntil } from "./wait-until.ts";

/** The built command line, exactly as users run it. */
export const BIN = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../dist/cli.js");

/** `npm run check:node` runs the same tests with other versions of Node. */
export const NODE = process.env["SKILLS_MCP_TEST_NODE"] ?? process.execPath;

/** Whether servers and commands are processes of Windows: here, or under Wine by `npm run check:windows`. */
export const IS_WINDOWS = process.platform === "win32" || process.env["SKILLS_MCP_TEST_SYSTEM"] === "win32";

/** A path as servers and commands write it into files and over HTTP: under Wine, the root of Linux is the drive Z:. */
export function nativePath(file: string): string {
  return IS_WINDOWS && file.startsWith("/") ? `Z:${file.replaceAll("/", "\\")}` : file;
}

/** The path that tests open for one that a server or a command wrote. */
export function openedPath(written: string): string {
  return written.startsWith("Z:") ? written.slice(2).replaceAll("\\", "/") : written;
}

/** Compiled once for all tests: otherwise each clean home folder would have the bundle compiled again. */
const CODE_CACHE = path.resolve(path.dirname(BIN), "../node_modules/.cache/code");

/** Nothing of this machine's own environment but what a process needs to run. */
export function environmentOf(sandbox: Pick<Sandbox, "home">): Record<string, string> {
  return {
    HOME: sandbox.home,
    USERPROFILE: sandbox.home,
    PATH: process.env["PATH"] ?? "",
    NODE_COMPILE_CACHE: CODE_CACHE,
  };
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line to its end. */
export function runBin(
  sandbox: Sandbox,
  args: readonly string[],
  options: { input?: string; cwd?: string; env?: Readonly<Record<string, string>> } = {},
): Ran {
  const { status, stdout, stderr } = spawnSync(NODE, [BIN, ...args], {
    cwd: options.cwd ?? sandbox.project,
    env: { ...environmentOf(sandbox), ...options.env },
    input: options.input ?? "",
    encoding: "utf8",
    timeout: 45_000,
  });
  return { code: status, stdout, stderr };
}

/** What a command prints with `--json`. */
export function json(sandbox: Sandbox, ...args: string[]): unknown {
  return JSON.parse(runBin(sandbox, args).stdout);
}

/**
 * Sends lines to a server, waits for as many lines of answers, and only then ends its input: what is not answered within a
 * second after that is dropped, which on a busy machine may be a request that a test is about.
 */
export async function exchange(
  sandbox: Sandbox,
  args: readonly string[],
  input: string,
  answers: number,
): Promise<Ran> {
  const { child, exit, stdout, stderr } = spawnBin(sandbox, args);
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.write(input);
  await waitUntil(
    `${answers} lines of answers`,
    () => stdout().split("\n").length > answers || child.exitCode !== null,
  );
  child.stdin.end();
  const { code } = await exit;
  return { code, stdout: stdout(), stderr: stderr() };
}

/** Starts the server without a client, for tests of signals and raw bytes. */
export function spawnBin(
  sandbox: Sandbox,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
) {
  const child = spawn(NODE, [BIN, ...args], {
    cwd: sandbox.project,
    env: { ...environmentOf(sandbox), ...env },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    // Not "exit", after which there may still be output to read.
    child.on("close", (code, signal) => resolve({ code, signal }));
  });
  return { child, exit, stdout: () => stdout, stderr: () => stderr };
}
