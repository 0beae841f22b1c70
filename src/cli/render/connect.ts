import type { Style } from "./style.ts";

/** How callers say who they are. */
export type AuthKind = "none" | "token" | "oauth";

const TOKEN = "<token>";

/** What `skills-mcp serve` prints: the address, and one line of config for each agent. */
export function renderConnect(base: string, auth: AuthKind, style: Style): string {
  const url = `${base}/mcp`;
  const withToken = auth === "token";
  const header = withToken ? ` --header "Authorization: Bearer ${TOKEN}"` : "";
  const headers = withToken ? { headers: { Authorization: `Bearer ${TOKEN}` } } : {};
  const rows: readonly (readonly [string, string])[] = [
    ["Claude Code", `claude mcp add --transport http skills ${url}${header}`],
    ["Codex", `codex mcp add skills --url ${url}${withToken ? " --bearer-token-env-var SKILLS_TOKEN" : ""}`],
    ["Gemini CLI", `gemini mcp add --transport http${header} skills ${url}`],
    ["VS Code", `code --add-mcp '${JSON.stringify({ name: "skills", type: "http", url, ...headers })}'`],
    ["Cursor", `in ~/.cursor/mcp.json: ${JSON.stringify({ mcpServers: { skills: { url, ...headers } } })}`],
  ];
  const lines = rows.map(([agent, line]) => `  ${style.dim(agent.padEnd(12))}  ${line}`);
  return `${style.bold("skills-mcp")} serves MCP at ${url} and a page at ${base}/\n\nConnect an agent; each line is all it takes:\n\n${lines.join("\n")}\n\nCtrl+C ends it.\n`;
}
