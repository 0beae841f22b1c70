import type { App } from "../app/create-app.ts";
import { VERSION } from "../version.ts";
import type { Exchange } from "./exchange.ts";
import { sendJson, sendNotAllowed, sendText } from "./reply.ts";
import type { Page } from "./router.ts";

const HEADERS = {
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
} as const;

/** `/`: what is served here, for people. */
export function createStatusPage(app: App): Page {
  return async ({ request, response, path, base }: Exchange): Promise<void> => {
    if (path !== "/") return sendJson(response, 404, { error: "There is nothing here. MCP is at /mcp." });
    if (request.method !== "GET" && request.method !== "HEAD") return sendNotAllowed(response, "GET, HEAD");
    const { catalog, library } = await app.snapshot();
    const rows = catalog.entries.map(({ listedAs, skill }) => [listedAs, skill.provider, skill.description]);
    const libraryRows = [...library.skills.values()].map(({ path, description }) => [
      path,
      "library",
      description,
    ]);
    return sendText(
      response,
      200,
      "text/html; charset=utf-8",
      html(base, [...rows, ...libraryRows]),
      HEADERS,
    );
  };
}

function html(base: string, rows: readonly (readonly string[])[]): string {
  const body = rows
    .map((cells) => `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`)
    .join("\n");
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>skills-mcp</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
  table { border-collapse: collapse; width: 100%; }
  td, th { border-bottom: 1px solid #8884; padding: .4rem .6rem; text-align: left; vertical-align: top; }
  code { background: #8882; padding: .1rem .3rem; }
</style>
<h1>skills-mcp ${escapeHtml(VERSION)}</h1>
<p>${rows.length} skills are served over MCP at <code>${escapeHtml(base)}/mcp</code>.
Also here: <a href="/readyz">readiness</a>, <a href="/metrics">metrics</a>,
<a href="/.well-known/agent-skills/index.json">the index of skills</a>.
How to connect an agent and run this for a team is in the package's <code>docs/</code> folder.</p>
<table>
<tr><th>Skill</th><th>From</th><th>Description</th></tr>
${body}
</table>
</html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
