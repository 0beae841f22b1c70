import { figure } from "../measure.ts";
import type { Results } from "./results.ts";

interface Bar {
  readonly label: string;
  readonly value: number;
  readonly kind: "ours" | "floor" | "peer";
}

interface Panel {
  readonly title: string;
  readonly bars: readonly Bar[];
}

const WIDTH = 760;
const LABEL_WIDTH = 265;
const VALUE_WIDTH = 80;
const MARGIN = 20;
const BAR_HEIGHT = 16;
const BAR_STEP = 23;
const TITLE_HEIGHT = 34;
const PANEL_GAP = 14;

/** Bars of how long servers take to start, as an SVG that is readable on light and on dark ground. */
export function startChart(results: Results): string {
  const panels = [
    panel(results, "spawn → initialize, 10,000 skills", "init", 10_000),
    panel(results, "spawn → first complete list, 1,000 skills", "ready", 1_000),
    panel(results, "spawn → first complete list, 10,000 skills", "ready", 10_000),
  ].filter(({ bars }) => bars.length > 0);
  let top = MARGIN;
  const parts = panels.map((one) => {
    const drawn = drawPanel(one, top);
    top += TITLE_HEIGHT + one.bars.length * BAR_STEP + PANEL_GAP;
    return drawn;
  });
  const foot = `Medians of ${results.rounds} interleaved rounds in ms, shorter is better. ${results.cpus} cores, load ${figure(results.load)}, Node ${results.node.slice(1)}, warm page cache.`;
  const height = top + 24;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-label="Start-up time of MCP servers">
<style>${STYLE}</style>
<rect class="ground" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>
${parts.join("\n")}
<text class="small" x="${MARGIN}" y="${top + 6}">${escaped(foot)}</text>
</svg>
`;
}

const STYLE = `
text{font:13px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#1f2328}
.title{font-weight:600;font-size:14px}.small{font-size:11.5px;fill:#59636e}.strong{font-weight:600}
.ground{fill:#fff;stroke:#d1d9e0}.ours{fill:#0969da}.floor{fill:#9aa4af}.peer{fill:#d3d9e0}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.small{fill:#9198a1}.ground{fill:#0d1117;stroke:#3d444d}
.ours{fill:#4493f8}.floor{fill:#8b949e}.peer{fill:#4b535d}}
`.replaceAll("\n", "");

function panel(results: Results, title: string, what: "init" | "ready", size: number): Panel {
  const row = (id: string) => results.rows.find((candidate) => candidate.id === `start.${id}.${size}`);
  const bars: Bar[] = [];
  const add = (label: string, value: number | undefined, kind: Bar["kind"]): void => {
    if (value !== undefined && Number.isFinite(value)) bars.push({ label, value, kind });
  };
  const cold = what === "init" ? "init.cold" : "ready.cold-found";
  add("skills-mcp, first start", row(cold)?.ours, "ours");
  add("skills-mcp, later starts", row(`${what}.cached`)?.ours, "ours");
  if (what === "init") {
    add("bare Node, no skills", row("init.cold")?.floor, "floor");
    add("empty SDK server, no skills", row("init.sdk")?.floor, "floor");
  } else {
    add("bare Node, finds and reads the files", row("ready.cold-found")?.floor, "floor");
    add("bare Node, reads known files", row("ready.cold-sync")?.floor, "floor");
  }
  for (const { name, version, figures } of results.peers) {
    const found = figures.find((one) => one.row === `start.${cold}.${size}`);
    add(`${shortName(name)} ${version}`, found?.value, "peer");
  }
  return { title, bars };
}

/** The name without its scope, unless it is the SDK's own. */
function shortName(name: string): string {
  return name.startsWith("@modelcontextprotocol/") ? "SDK ext/skills" : name.replace(/^@[^/]+\//, "");
}

function drawPanel({ title, bars }: Panel, top: number): string {
  const most = Math.max(...bars.map(({ value }) => value));
  const room = WIDTH - 2 * MARGIN - LABEL_WIDTH - VALUE_WIDTH;
  const lines = bars.map(({ label, value, kind }, index) => {
    const y = top + TITLE_HEIGHT + index * BAR_STEP;
    const width = Math.max(1.5, (value / most) * room);
    const x = MARGIN + LABEL_WIDTH;
    const style = kind === "ours" ? ' class="strong"' : "";
    return `<text${style} x="${x - 10}" y="${y + 12.5}" text-anchor="end">${escaped(label)}</text><rect class="${kind}" x="${x}" y="${y}" width="${width.toFixed(1)}" height="${BAR_HEIGHT}" rx="2"/><text${style} x="${(x + width + 7).toFixed(1)}" y="${y + 12.5}">${figure(value)}</text>`;
  });
  return `<text class="title" x="${MARGIN}" y="${top + 18}">${escaped(title)}</text>\n${lines.join("\n")}`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
