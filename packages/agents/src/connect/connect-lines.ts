import type { Agent } from "../agent.ts";
import { agent as claudeCode } from "../agents/claude-code.ts";
import { agent as codex } from "../agents/codex.ts";
import { agent as cursor } from "../agents/cursor.ts";
import { agent as geminiCli } from "../agents/gemini-cli.ts";
import { agent as vscode } from "../agents/vscode.ts";
import type { ConnectForm, ServerConnection } from "./connect-form.ts";
import { entryFor } from "./entry.ts";
import { ENTRY_NAME } from "./entry-forms.ts";

/** How to connect one agent by hand. */
export interface ConnectLine {
  readonly title: string;
  /** The agent's own command. */
  readonly command?: string;
  /** Or the file, and what to write there. */
  readonly file?: string;
  readonly config?: string;
}

/** What `serve`, `--help` and the dashboard show; `connect` knows the other agents too. */
const SHOWN: readonly Agent[] = [claudeCode, codex, geminiCli, vscode, cursor];

/** `ours` starts skills-mcp on a terminal. */
export function connectLines(connection: ServerConnection, ours: string): readonly ConnectLine[] {
  return SHOWN.flatMap(({ title, connect }) =>
    connect === undefined ? [] : [connectLine(title, connect, connection, ours)],
  );
}

function connectLine(
  title: string,
  form: ConnectForm,
  connection: ServerConnection,
  ours: string,
): ConnectLine {
  const { add, user } = form;
  if (add !== undefined) return { title, command: add(connection, ours) };
  const [file = ""] = user === undefined ? [] : "unix" in user ? user.unix : user;
  return { title, file: file.replace("<config>", "~/.config"), config: configText(form, connection) };
}

/** The text of an agent's JSON file with nothing but our entry. */
export function connectJson(id: "vscode" | "cursor", connection: ServerConnection): string {
  const form = SHOWN.find((agent) => agent.id === id)?.connect;
  return form === undefined ? "" : configText(form, connection, 2);
}

/** A link that opens the agent, which asks whether to add our entry. */
export function connectLink(id: "vscode" | "cursor", connection: ServerConnection): string {
  const form = SHOWN.find((agent) => agent.id === id)?.connect;
  const entry = form === undefined ? {} : entryFor(form, connection, "");
  if (id === "vscode")
    return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: ENTRY_NAME, ...entry }))}`;
  const config = encodeURIComponent(btoa(JSON.stringify(entry)));
  return `cursor://anysphere.cursor-deeplink/mcp/install?name=${ENTRY_NAME}&config=${config}`;
}

function configText(form: ConnectForm, connection: ServerConnection, indent?: number): string {
  const entry = { [ENTRY_NAME]: entryFor(form, connection, "") };
  return JSON.stringify(
    form.keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), entry),
    undefined,
    indent,
  );
}
