// Draws the pictures of the dashboard in README.md and docs/ from the built page, over the project of screens/demo-project.mjs
// with two connected agents. Needs chromium (or CHROMIUM) and git.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import { ensureBuilt, root } from "./bootstrap.mjs";
import { makeDemoProject } from "./screens/demo-project.mjs";

const PORT = 4789;
const URL_OF_PAGE = `http://127.0.0.1:${PORT}`;

/** File, address, what shows that the view is complete, and how it is shown. */
const SCREENS = [
  ["dashboard-overview", "#/overview", ".chart canvas", {}],
  ["dashboard-overview-dark", "#/overview", ".chart canvas", { colorScheme: "dark" }],
  ["dashboard-overview-phone", "#/overview", ".chart canvas", { viewport: { width: 390, height: 844 } }],
  ["dashboard-skills", "#/skills?open=code-review", ".markdown li", {}],
  ["dashboard-sources", "#/sources", ".source-list", {}],
  ["dashboard-usage", "#/usage", ".chart canvas", {}],
];

ensureBuilt();
const scratch = mkdtempSync(path.join(tmpdir(), "acme-"));
const cli = path.join(root, "dist", "cli.js");
const { project, home, env } = makeDemoProject(scratch, { cli });
const server = spawn(process.execPath, [cli, "serve", "--port", String(PORT)], {
  cwd: project,
  env: { ...process.env, ...env, HOME: home },
  stdio: ["ignore", "ignore", "pipe"],
});
try {
  await new Promise((resolve) => {
    server.stderr.on("data", (text) => {
      if (String(text).includes("listening on")) resolve();
    });
  });
  await connectAgent("claude-code", "2.1.325");
  await connectAgent("codex-mcp-client", "0.61.0");
  const key = readFileSync(path.join(home, ".skills-mcp", "dashboard-key"), "utf8").trim();
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  for (const screen of SCREENS) await draw(browser, key, screen);
  await browser.close();
} finally {
  server.kill("SIGTERM");
  rmSync(scratch, { recursive: true, force: true });
}

async function connectAgent(name, version) {
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name, version } };
  const response = await fetch(`${URL_OF_PAGE}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }),
  });
  await response.text();
}

async function draw(browser, key, [name, hash, ready, options]) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 1.5,
    ...options,
  });
  const page = await context.newPage();
  await page.goto(`${URL_OF_PAGE}/#key=${key}`);
  await page.goto(`${URL_OF_PAGE}/${hash}`);
  await page.locator(ready).first().waitFor();
  // The number of findings arrives last.
  await page.locator(".badge.bad").first().waitFor({ state: "attached" });
  await page.screenshot({ path: path.join(root, "docs", "images", `${name}.png`) });
  console.log(`docs/images/${name}.png`);
  await context.close();
}
