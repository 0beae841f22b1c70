import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { beforeAll, onTestFinished } from "vitest";
import { createStyle, run, type Terminal } from "#cli";
// Loaded on demand by the command; here beforehand, since a handshake waits for it no longer than half a second.
import "../../packages/cli/src/commands/mcp.ts";
import "#server";
import { environmentOf, exchange, type Ran, runBin, spawnBin } from "./bin.ts";
import { type Connection, type ConnectOptions, connect, openClient } from "./client.ts";
import { type AtEnd, atEndOfGroup, type Sandbox } from "./sandbox.ts";
import { waitUntil } from "./wait-until.ts";

/** Where `npm run check:node` runs everything as it is installed. */
export const RUNS_BIN = process.env["SKILLS_MCP_TEST_NODE"] !== undefined;

/**
 * Like `connect`, but the server runs in this process: the same command line, environment and working folder, and the
 * same bytes on its stdin and stdout, without the 150 ms of processor time that starting a process takes. For tests of
 * what a server answers. How it starts, ends and is packaged are tests of the built bin.
 */
export async function connectInProcess(
  sandbox: Sandbox,
  options: Omit<ConnectOptions, "script">,
): Promise<Connection> {
  const atEnd = options.atEnd ?? onTestFinished;
  if (RUNS_BIN) return connect(sandbox, options);
  atEnd(becomeProcess({ ...environmentOf(sandbox), ...options.env }, options.cwd ?? sandbox.project));
  const stdin = new PassThrough();
  const { terminal, stdout, printed } = createTerminal(stdin);
  const ended = run(options.args ?? ["mcp"], terminal, () => false).then(() => stdout.end());
  const close = async (): Promise<void> => {
    stdin.end();
    await ended;
  };
  atEnd(close);
  // A transport of lines, which is the same on either side.
  const { client, announced } = await openClient(new StdioServerTransport(stdout, stdin), options);
  return { client, log: () => printed().stderr, announced, close };
}

/** Connects one client for all tests of a `describe` that only ask its server. */
export function shareConnection(
  prepare: (atEnd: AtEnd) => Sandbox,
  options: Omit<ConnectOptions, "script" | "atEnd">,
): () => Connection {
  let shared: Connection | undefined;
  const atEnd = atEndOfGroup();
  beforeAll(async () => {
    shared = await connectInProcess(prepare(atEnd), { ...options, atEnd });
  });
  return () => {
    if (shared === undefined) throw new Error("The client is connected only while tests run.");
    return shared;
  };
}

/** Like `exchange`, but the server runs in this process. */
export async function exchangeInProcess(
  sandbox: Sandbox,
  args: readonly string[],
  input: string,
  answers: number,
): Promise<Ran> {
  if (RUNS_BIN) return exchange(sandbox, args, input, answers);
  const goBack = becomeProcess(environmentOf(sandbox), sandbox.project);
  try {
    const stdin = new PassThrough();
    const { terminal, stdout, printed } = createTerminal(stdin);
    let sent = "";
    stdout.setEncoding("utf8").on("data", (text: string) => {
      sent += text;
    });
    let hasEnded = false;
    const ended = run(args, terminal, () => false).finally(() => {
      hasEnded = true;
    });
    stdin.write(input);
    await waitUntil(`${answers} lines of answers`, () => sent.split("\n").length > answers || hasEnded);
    stdin.end();
    return { code: await ended, stdout: sent, stderr: printed().stderr };
  } finally {
    goBack();
  }
}

/**
 * Like `serve`, but the server runs in this process. For tests of what it answers; two servers of one test share an
 * environment and a working folder.
 */
export async function serveInProcess(
  sandbox: Sandbox,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  atEnd: AtEnd = onTestFinished,
): Promise<string> {
  return (await startInProcess(sandbox, ["serve", ...args], env, atEnd)).url;
}

export interface RunningServer {
  readonly url: string;
  /** What it printed so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
}

/** The same with any command line, for tests that look at what the server prints, too. */
export async function startInProcess(
  sandbox: Sandbox,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  atEnd: AtEnd = onTestFinished,
): Promise<RunningServer> {
  const anyPort = [...args, "--port", "0"];
  const { ended, ...running } = RUNS_BIN
    ? spawnServer(sandbox, anyPort, env, atEnd)
    : runServer(sandbox, anyPort, env, atEnd);
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  let url: string | undefined;
  await waitUntil("the server listens", () => {
    if (hasEnded) throw new Error(`The server ended: ${running.stderr()}`);
    url = /listening on (http:\/\/[^/\s]+)/.exec(running.stderr())?.[1];
    return url !== undefined;
  });
  return { ...running, url: url ?? "" };
}

interface StartedServer extends Omit<RunningServer, "url"> {
  readonly ended: Promise<unknown>;
}

function spawnServer(
  sandbox: Sandbox,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  atEnd: AtEnd,
): StartedServer {
  const { child, exit, stdout, stderr } = spawnBin(sandbox, args, env);
  atEnd(async () => {
    child.kill("SIGTERM");
    await exit;
  });
  return { ended: exit, stdout, stderr };
}

function runServer(
  sandbox: Sandbox,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  atEnd: AtEnd,
): StartedServer {
  atEnd(becomeProcess({ ...environmentOf(sandbox), ...env }, sandbox.project));
  const { terminal, signals, printed } = createTerminal(new PassThrough().end());
  const ended = run(args, terminal, () => false);
  atEnd(async () => {
    signals.emit("SIGTERM", "SIGTERM");
    await ended;
  });
  return { ended, stdout: () => printed().stdout, stderr: () => printed().stderr };
}

/**
 * Like `runBin`, but the command runs in this process, without the 150 ms of processor time that starting one takes. For
 * tests of what a command does and prints. How the bin starts, reads its input and ends are tests of the built bin.
 */
export async function runCommand(
  sandbox: Sandbox,
  args: readonly string[],
  options: { cwd?: string; env?: Readonly<Record<string, string>>; input?: string } = {},
): Promise<Ran> {
  if (RUNS_BIN) return runBin(sandbox, args, options);
  const goBack = becomeProcess({ ...environmentOf(sandbox), ...options.env }, options.cwd ?? sandbox.project);
  try {
    const { terminal, printed } = createTerminal(new PassThrough().end(options.input ?? ""));
    const code = await run(args, terminal, () => false);
    return { code, ...printed() };
  } finally {
    goBack();
  }
}

/** What a command prints with `--json`. */
export async function commandJson(sandbox: Sandbox, ...args: string[]): Promise<unknown> {
  return JSON.parse((await runCommand(sandbox, args)).stdout);
}

/** A terminal that nobody sees. */
function createTerminal(stdin: PassThrough) {
  const stdout = new PassThrough();
  const signals = new EventEmitter();
  let [out, log] = ["", ""];
  const terminal: Terminal = {
    print: (text) => {
      out += text;
    },
    logLine: (line) => {
      log += `${line}\n`;
    },
    style: createStyle(false),
    errorStyle: createStyle(false),
    width: undefined,
    stdio: Object.assign(signals, { stdin, stdout }),
  };
  return { terminal, stdout, signals, printed: () => ({ stdout: out, stderr: log }) };
}

/** Gives this process another environment and working folder, until the returned function is called. */
function becomeProcess(environment: Readonly<Record<string, string>>, cwd: string): () => void {
  const before = { environment: { ...process.env }, cwd: process.cwd() };
  replaceEnvironment(environment);
  process.chdir(cwd);
  return () => {
    replaceEnvironment(before.environment);
    process.chdir(before.cwd);
  };
}

/** Key by key: the system's own idea of the environment, such as the home folder, follows. */
function replaceEnvironment(environment: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
}
