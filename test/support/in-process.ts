import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { onTestFinished } from "vitest";
import type { Terminal } from "../../src/cli/command.ts";
import { createStyle } from "../../src/cli/render/text.ts";
import { run } from "../../src/cli/run.ts";
// Loaded on demand by the command; here beforehand, since a handshake waits for it no longer than half a second.
import "../../src/cli/commands/mcp.ts";
import "../../src/cli/stdio/serve-stdio.ts";
import { environmentOf } from "./bin.ts";
import { type Connection, type ConnectOptions, connect, openClient } from "./client.ts";
import type { Sandbox } from "./sandbox.ts";

/** Where `npm run check:node` runs everything as it is installed. */
const RUNS_BIN = process.env["SKILLS_MCP_TEST_NODE"] !== undefined;

/**
 * Like `connect`, but the server runs in this process: the same command line, environment and working folder, and the
 * same bytes on its stdin and stdout, without the 150 ms of processor time that starting a process takes. For tests of
 * what a server answers. How it starts, ends and is packaged are tests of the built bin.
 */
export async function connectInProcess(
  sandbox: Sandbox,
  options: Omit<ConnectOptions, "script">,
): Promise<Connection> {
  if (RUNS_BIN) return connect(sandbox, options);
  becomeProcess({ ...environmentOf(sandbox), ...options.env }, options.cwd ?? sandbox.project);
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  let log = "";
  const terminal: Terminal = {
    print: (text) => void stdout.write(text),
    logLine: (line) => {
      log += `${line}\n`;
    },
    style: createStyle(false),
    errorStyle: createStyle(false),
    width: undefined,
    stdio: Object.assign(new EventEmitter(), { stdin, stdout }),
  };
  const ended = run(options.args ?? ["mcp"], terminal, () => false).then(() => stdout.end());
  const close = async (): Promise<void> => {
    stdin.end();
    await ended;
  };
  onTestFinished(close);
  // A transport of lines, which is the same on either side.
  const { client, announced } = await openClient(new StdioServerTransport(stdout, stdin), options);
  return { client, log: () => log, announced, close };
}

/** Gives this process another environment and working folder until the test ends. */
function becomeProcess(environment: Readonly<Record<string, string>>, cwd: string): void {
  const before = { environment: { ...process.env }, cwd: process.cwd() };
  onTestFinished(() => {
    replaceEnvironment(before.environment);
    process.chdir(before.cwd);
  });
  replaceEnvironment(environment);
  process.chdir(cwd);
}

/** Key by key: the system's own idea of the environment, such as the home folder, follows. */
function replaceEnvironment(environment: Readonly<Record<string, string | undefined>>): void {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
}
