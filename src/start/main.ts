import { writeSync } from "node:fs";
import path from "node:path";
import { VERSION } from "../version.ts";
import { answerInitializeEarly } from "./answer-initialize.ts";
import { loadBundle } from "./load-bundle.ts";

/** These serve MCP, and share a bundle with the SDK; all other commands share one without it. */
const SERVERS: ReadonlySet<string> = new Set(["mcp", "mcp-server", "serve"]);

/** What Node runs first, as dist/cli.js: CommonJS, and small enough to be compiled anew each time. */
async function start(args: readonly string[]): Promise<void> {
  const [first] = args;
  if (first === "--version" || first === "-v") {
    printVersion();
    return;
  }
  const isServer = servesMcp(args);
  if (isServer) await answerInitializeEarly(args);
  loadBundle(path.join(__dirname, isServer ? "server.js" : "commands.js"));
}

/** Whether the server's bundle has the command. Flags alone belong to `mcp`, the default. */
function servesMcp([first, second]: readonly string[]): boolean {
  const command = first === "help" ? second : first;
  return command === undefined || command.startsWith("-") || SERVERS.has(command);
}

/** Written directly: setting up `process.stdout` takes longer than everything else here. */
function printVersion(): void {
  try {
    writeSync(1, `${VERSION}\n`);
  } catch {
    process.exitCode = 1;
  }
}

void start(process.argv.slice(2));
