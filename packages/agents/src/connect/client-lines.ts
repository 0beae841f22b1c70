import { CLIENTS } from "../clients.ts";
import { type Client, type Connection, ENTRY_NAME, entryFor } from "./client.ts";

/** How to connect one client by hand. */
export interface ClientLine {
  readonly title: string;
  /** The client's own command. */
  readonly command?: string;
  /** Or the file, and what to write there. */
  readonly file?: string;
  readonly config?: string;
}

/** The clients that `serve`, `--help` and the dashboard name; `connect` knows the others. */
const SHOWN = ["claude-code", "codex", "gemini-cli", "vscode", "cursor"];

export function clientLines(connection: Connection): readonly ClientLine[] {
  return SHOWN.map((id) => clientLine(clientOf(id), connection));
}

function clientLine(client: Client, connection: Connection): ClientLine {
  const { title, add, user } = client;
  if (add !== undefined) return { title, command: add(connection) };
  const [file = ""] = user === undefined ? [] : "unix" in user ? user.unix : user;
  return { title, file: file.replace("<config>", "~/.config"), config: configOf(client, connection) };
}

/** What the file of a client with JSON says, on one line. */
export function configOf(client: Client, connection: Connection, indent?: number): string {
  const entry = { [ENTRY_NAME]: entryFor(client, connection, "") };
  return JSON.stringify(
    client.keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), entry),
    undefined,
    indent,
  );
}

export function clientOf(id: string): Client {
  const client = CLIENTS.find((each) => each.id === id);
  if (client === undefined) throw new Error(`There is no client '${id}'.`);
  return client;
}
