import { Client, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import { BIN, environmentOf, NODE } from "./bin.ts";
import type { AtEnd, Sandbox } from "./sandbox.ts";
import { SHARED_VALIDATOR } from "./shared-validator.ts";

/** The two ways to open an MCP connection: with the `initialize` handshake, or self-describing requests. */
export const ERAS = ["2025-11-25", "2026-07-28"] as const;
type Era = (typeof ERAS)[number];

export interface Connection {
  readonly client: Client;
  /** What the server wrote to its log so far. */
  readonly log: () => string;
  /** How many times the server announced a new list of tools. */
  readonly announced: () => number;
  readonly close: () => Promise<void>;
}

/** With a process of its own. */
export interface ProcessConnection extends Connection {
  readonly pid: number;
}

export interface ConnectOptions {
  readonly era: Era;
  readonly args?: readonly string[];
  readonly clientName?: string;
  readonly clientVersion?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What Node runs instead of the built bin. */
  readonly script?: readonly string[];
  /** When it is closed: with the test, unless told otherwise. */
  readonly atEnd?: AtEnd;
}

/** Connects a real MCP client to the built bin over stdio. Closed when the test ends. */
export async function connect(sandbox: Sandbox, options: ConnectOptions): Promise<ProcessConnection> {
  let log = "";
  const transport = new StdioClientTransport({
    command: NODE,
    args: [...(options.script ?? [BIN]), ...(options.args ?? ["mcp"])],
    env: { ...environmentOf(sandbox), ...options.env },
    cwd: options.cwd ?? sandbox.project,
    stderr: "pipe",
  });
  transport.stderr?.on("data", (chunk: Buffer) => {
    log += chunk.toString("utf8");
  });
  const { client, announced } = await openClient(transport, options);
  const close = () => client.close();
  (options.atEnd ?? onTestFinished)(close);
  return { client, log: () => log, pid: transport.pid ?? 0, announced, close };
}

/** An MCP client of an era, which counts the announcements of new tools. */
export async function openClient(
  transport: Transport,
  { era, clientName = "test", clientVersion = "1.0.0" }: ConnectOptions,
): Promise<Pick<Connection, "client" | "announced">> {
  let announced = 0;
  const client = new Client(
    { name: clientName, version: clientVersion },
    {
      ...(era === "2026-07-28" ? { versionNegotiation: { mode: { pin: "2026-07-28" } } } : {}),
      jsonSchemaValidator: SHARED_VALIDATOR,
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void announced++ } },
    },
  );
  await client.connect(transport);
  return { client, announced: () => announced };
}

/** The text of a tool's answer. */
function textOf(result: { readonly content?: unknown }): string {
  const [first] = Array.isArray(result.content) ? (result.content as readonly { text?: string }[]) : [];
  return first?.text ?? "";
}

/** Calls the `skill` tool. */
export async function loadSkill(connection: Connection, name: string) {
  const result = await connection.client.callTool({ name: "skill", arguments: { name } });
  return { text: textOf(result), isError: result.isError === true, meta: result._meta };
}

/** The `skill` tool's description, as this client receives it now. */
export async function describedSkills(connection: Connection): Promise<string> {
  const { tools } = await connection.client.listTools(undefined, { cacheMode: "refresh" });
  return tools.find((tool) => tool.name === "skill")?.description ?? "";
}

/** The names in an `<available_skills>` block, or in a plain list. */
export function namesIn(text: string): readonly string[] {
  const block = /<available_skills>([\s\S]*)<\/available_skills>/.exec(text)?.[1];
  if (block !== undefined)
    return [...block.matchAll(/<name>([^<]*)<\/name>/g)].map((match) => match[1] ?? "");
  const [, list = ""] = text.split(
    /\n\n(?:Available skills|More skills \(the list starts in the description of the `skill` tool\)):\n/,
  );
  return list.split("\n").flatMap((line) => {
    const name = /^- ([^:]+): /.exec(line)?.[1];
    if (line.startsWith("- … and ") || (name === undefined && line.endsWith("."))) return [];
    return (
      name ??
      line
        .replace(/^Also: /, "")
        .split(", ")
        .filter(Boolean)
    );
  });
}
