// Draws docs/assets/demo.svg, the animated terminal of the README: runs the commands below with the built bin in a scratch
// folder with a few skills, and draws what they print. Run it after a change of their output.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureBuilt, root } from "./bootstrap.mjs";

const SKILLS = {
  "shop/.claude/skills/deploy": "Deploys the shop to staging, then to production.",
  "shop/.agents/skills/code-review": "Reviews a pull request against the team checklist.",
  "home/.codex/skills/git-flow": "Branches and merges the way this team does it.",
  "home/.cursor/skills/release-notes": "Writes release notes from merged pull requests.",
  "home/.claude/plugins/cache/example/pdf": "Reads, fills and merges PDF files.",
};
/** What is typed, and the arguments that are run for it; the last command asks, so it is only shown. */
const COMMANDS = [
  ["skills-mcp list", ["list"]],
  ['skills-mcp search "fill in a PDF form"', ["search", "fill in a PDF form"]],
  ["skills-mcp connect", undefined],
];

const [CHAR, LINE, PAD, TOP, COLUMNS] = [8.1, 21, 20, 52, 92];
const [TYPE_S, PAUSE_S, END_S] = [0.035, 1.5, 6];

ensureBuilt();
const scratch = mkdtempSync(path.join(tmpdir(), "skills-mcp-demo-"));
try {
  writeSkills();
  writeFileSync(path.join(root, "docs", "assets", "demo.svg"), draw(COMMANDS.map(runCommand)));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function writeSkills() {
  for (const [folder, description] of Object.entries(SKILLS)) {
    mkdirSync(path.join(scratch, folder), { recursive: true });
    const text = `---\nname: ${path.basename(folder)}\ndescription: ${description}\n---\n`;
    writeFileSync(path.join(scratch, folder, "SKILL.md"), text);
  }
  const plugins = { "example-skills@market": { installPath: "cache/example" } };
  const file = path.join(scratch, "home", ".claude", "plugins", "installed_plugins.json");
  writeFileSync(file, JSON.stringify({ version: 1, plugins }));
}

function runCommand([typed, args]) {
  if (args === undefined) return { typed, output: [] };
  const home = path.join(scratch, "home");
  const output = execFileSync(process.execPath, [path.join(root, "dist", "cli.js"), ...args], {
    cwd: path.join(scratch, "shop"),
    env: { PATH: process.env.PATH, HOME: home, USERPROFILE: home },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return { typed, output: output.trimEnd().split("\n") };
}

/** Without animation every line is visible, so a still picture shows the whole session. */
function draw(session) {
  const total = session.reduce((sum, { typed }) => sum + typed.length * TYPE_S + PAUSE_S, END_S);
  const share = (seconds) => `${((100 * seconds) / total).toFixed(2)}%`;
  const [styles, elements] = [[], []];
  let [now, row] = [0.2, 0];
  const put = (text, kind, from) => {
    const style = `l${row}`;
    styles.push(`@keyframes ${style}{0%{opacity:0}${share(from)}{opacity:1}}`);
    const y = TOP + row++ * LINE;
    if (text !== "") elements.push(`<g style="animation-name:${style}">${drawText(text, kind, y)}</g>`);
    return y;
  };
  for (const { typed, output } of session) {
    const y = put(`$ ${typed}`, "command", now);
    const [width, until] = [typed.length * CHAR, now + typed.length * TYPE_S];
    const cover = `c${row}`;
    styles.push(
      `@keyframes ${cover}{0%,${share(now)}{transform:none;animation-timing-function:steps(${typed.length})}${share(until)},to{transform:translateX(${width.toFixed(1)}px)}}`,
    );
    // Covers the command and moves right as it is typed, behind a clip that hides it once it has passed.
    elements.push(
      `<clipPath id="${cover}"><rect x="${PAD + 2 * CHAR}" y="${y - 15}" width="${width}" height="${LINE}"/></clipPath><g clip-path="url(#${cover})"><rect class="cover" style="animation-name:${cover}" x="${PAD + 2 * CHAR}" y="${y - 15}" width="${width}" height="${LINE}"/></g>`,
    );
    now = until + 0.4;
    for (const line of output) put(line, "output", now);
    row++;
    now += PAUSE_S - 0.4;
  }
  const [width, height] = [Math.round(2 * PAD + COLUMNS * CHAR), TOP + (row - 1) * LINE];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A terminal: skills-mcp lists and searches the skills of every agent, and is added to Claude Code">
<style>text{font:13.5px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#d1d7e0;white-space:pre}.command{fill:#fff}.dim{fill:#7d8590}.name{fill:#6cb6ff}.cover{fill:#161b22;transform:translateX(2000px)}@media (prefers-reduced-motion:no-preference){g,.cover{animation:${total.toFixed(1)}s step-end infinite}.cover{animation-timing-function:linear}}
${styles.join("\n")}</style>
<rect width="${width}" height="${height}" rx="10" fill="#161b22"/>
<circle cx="20" cy="18" r="6" fill="#ff5f57"/><circle cx="40" cy="18" r="6" fill="#febc2e"/><circle cx="60" cy="18" r="6" fill="#28c840"/>
${elements.join("\n")}
</svg>
`;
}

function drawText(text, kind, y) {
  const at = (column) => (PAD + column * CHAR).toFixed(1);
  const part = (from, piece, style) =>
    `<text class="${style}" x="${at(from)}" y="${y}" textLength="${(piece.length * CHAR).toFixed(1)}">${escape(piece)}</text>`;
  if (kind === "command") return part(0, "$", "dim") + part(2, text.slice(2), "command");
  const [, name = "", gap = "", rest = ""] = /^(\S+)( {2,})(.*)$/.exec(text) ?? [];
  const shown = text.length > COLUMNS ? `${text.slice(0, COLUMNS - 1)}…` : text;
  if (name === "" || name === name.toUpperCase()) return part(0, shown, name === "" ? "output" : "dim");
  return part(0, name, "name") + part(name.length + gap.length, rest, "output");
}

function escape(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
