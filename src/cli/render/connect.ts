import type { Style } from "./text.ts";

/** What `skills-mcp serve` prints: the addresses, and one line of config for each agent. */
export function renderConnect(base: string, withToken: boolean, style: Style): string {
  const url = `${base}/mcp`;
  const header = withToken ? ' --header "Authorization: Bearer <token>"' : "";
  const headers = withToken ? { headers: { Authorization: "Bearer <token>" } } : {};
  const row = (label: string, value: string) => `  ${style.dim(label.padEnd(12))}  ${value}`;
  const lines = [
    style.bold("skills-mcp is running"),
    row("MCP", url),
    row("Dashboard", `${base}/`),
    "",
    style.bold("Connect an agent"),
    row("Claude Code", `claude mcp add --transport http skills ${url}${header}`),
    row(
      "Codex",
      `codex mcp add skills --url ${url}${withToken ? " --bearer-token-env-var SKILLS_TOKEN" : ""}`,
    ),
    row("Gemini CLI", `gemini mcp add --transport http${header} skills ${url}`),
    row("VS Code", `code --add-mcp '${JSON.stringify({ name: "skills", type: "http", url, ...headers })}'`),
    row(
      "Cursor",
      `in ~/.cursor/mcp.json: ${JSON.stringify({ mcpServers: { skills: { url, ...headers } } })}`,
    ),
    "",
    "Press Ctrl+C to stop.",
  ];
  return `${lines.join("\n")}\n`;
}
