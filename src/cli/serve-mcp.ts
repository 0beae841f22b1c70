import type { Terminal } from "./command.ts";
import type { FlagValues } from "./flags.ts";
import { openServer, type ServeOptions } from "./open-server.ts";
import { printable } from "./render/columns.ts";
import { HTTP_FLAGS, type SERVER_FLAGS } from "./server-flags.ts";
import { serveStdio } from "./stdio/serve-stdio.ts";

/** Serves MCP on the transport that was asked for, and returns the exit code. */
export async function serveMcp(
  given: FlagValues<typeof SERVER_FLAGS>,
  options: ServeOptions,
  terminal: Terminal,
): Promise<number> {
  const log = (line: string): void => terminal.say(`skills-mcp: ${printable(line)}`);
  const { transport = "stdio" } = given;
  if (transport !== "stdio") {
    // Loaded on demand: a client on stdio waits for nothing that it does not need.
    const { serveHttp } = await import("./http/serve-http.ts");
    return serveHttp(given, options, { sseOnly: transport === "sse", showPage: false }, log);
  }
  sayUnused(given, log);
  const opened = await openServer(given, options, {}, log);
  try {
    await serveStdio(opened, log);
  } finally {
    await opened.close();
  }
  return 0;
}

/** Someone who names a port expects it to be open. */
function sayUnused(given: FlagValues<typeof SERVER_FLAGS>, log: (line: string) => void): void {
  const names = Object.keys(HTTP_FLAGS) as readonly (keyof typeof HTTP_FLAGS)[];
  const used = names.filter((name) => {
    const value = given[name];
    return Array.isArray(value) ? value.length > 0 : value !== undefined;
  });
  if (used.length === 0) return;
  const flags = used.map((name) => `--${name}`).join(", ");
  log(`${flags} changes nothing on stdio: did you mean to add --transport http?`);
}
