import { connectLines } from "#agents/pure";
import type { Style } from "./text.ts";

interface Access {
  /** The address and port that the server listens on. */
  readonly listensOn: string;
  readonly withToken: boolean;
  /** The bundled examples are served, because no other skills were found. */
  readonly areExamples: boolean;
  /** What starts this program on a terminal. */
  readonly ours: string;
}

/** The dashboard's address. Its key is in the fragment, which browsers send to no server. */
export function dashboardAddress(base: string, key: string | undefined): string {
  return `${base}/${key === undefined ? "" : `#key=${key}`}`;
}

/** What `skills-mcp serve` prints: the addresses, and one line of config for each agent. */
export function renderConnect(
  base: string,
  dashboard: string,
  { listensOn, withToken, areExamples, ours }: Access,
  style: Style,
): string {
  const url = `${base}/mcp`;
  const row = (label: string, value: string) => `  ${style.dim(label.padEnd(12))}  ${value}`;
  const lines = [
    style.bold("skills-mcp is running"),
    row("MCP", url),
    ...(listensOn === base ? [] : [row("Listens on", listensOn)]),
    row("Dashboard", dashboard),
    ...(areExamples ? [row("Skills", style.yellow("bundled examples, because none were found"))] : []),
    "",
    style.bold("Connect an agent"),
    row("All of them", `${ours} connect --http ${url}${withToken ? " --token-env SKILLS_TOKEN" : ""}`),
    ...connectLines({ kind: "http", url, ...(withToken ? { token: "<token>" } : {}) }, ours).map(
      ({ title, command, file = "", config = "" }) => row(title, command ?? `in ${file}: ${config}`),
    ),
    "",
    "Press Ctrl+C to stop.",
  ];
  return `${lines.join("\n")}\n`;
}
