import { connectLines } from "#agents/pure";
import type { Style } from "./text.ts";

interface Access {
  readonly withToken: boolean;
  /** Nothing else was found. */
  readonly areExamples: boolean;
}

/** With the key in the fragment, which browsers send to no server. */
export function dashboardAddress(base: string, key: string | undefined): string {
  return `${base}/${key === undefined ? "" : `#key=${key}`}`;
}

/** What `skills-mcp serve` prints: the addresses, and one line of config for each agent. */
export function renderConnect(
  base: string,
  dashboard: string,
  { withToken, areExamples }: Access,
  style: Style,
): string {
  const url = `${base}/mcp`;
  const row = (label: string, value: string) => `  ${style.dim(label.padEnd(12))}  ${value}`;
  const lines = [
    style.bold("skills-mcp is running"),
    row("MCP", url),
    row("Dashboard", dashboard),
    ...(areExamples ? [row("Skills", style.yellow("bundled examples, because none were found"))] : []),
    "",
    style.bold("Connect an agent"),
    ...(withToken ? [] : [row("All of them", `npx -y skills-mcp connect --http ${url}`)]),
    ...connectLines({ kind: "http", url, ...(withToken ? { token: "<token>" } : {}) }).map(
      ({ title, command, file = "", config = "" }) => row(title, command ?? `in ${file}: ${config}`),
    ),
    "",
    "Press Ctrl+C to stop.",
  ];
  return `${lines.join("\n")}\n`;
}
