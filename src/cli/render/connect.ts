import { clientLines } from "../../connect/client-lines.ts";
import type { Style } from "./text.ts";

/** What `skills-mcp serve` prints: the addresses, and one line of config for each agent. */
export function renderConnect(base: string, withToken: boolean, style: Style): string {
  const url = `${base}/mcp`;
  const row = (label: string, value: string) => `  ${style.dim(label.padEnd(12))}  ${value}`;
  const lines = [
    style.bold("skills-mcp is running"),
    row("MCP", url),
    row("Dashboard", `${base}/`),
    "",
    style.bold("Connect an agent"),
    ...(withToken ? [] : [row("All of them", `npx -y skills-mcp connect --http ${url}`)]),
    ...clientLines({ kind: "http", url, ...(withToken ? { token: "<token>" } : {}) }).map(
      ({ title, command, file = "", config = "" }) => row(title, command ?? `in ${file}: ${config}`),
    ),
    "",
    "Press Ctrl+C to stop.",
  ];
  return `${lines.join("\n")}\n`;
}
