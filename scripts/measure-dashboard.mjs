// Measures the dashboard with 10,000 skills in a real browser: bytes transferred, time to first paint and to the list, the
// slowest frame while scrolling, and the time of a search. Needs chromium (or CHROMIUM).
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import { ensureBuilt, root } from "./bootstrap.mjs";

const SKILLS = 10_000;
const VISITS = 5;
const PORT = 4788;

ensureBuilt();
const scratch = mkdtempSync(path.join(tmpdir(), "skills-mcp-dashboard-"));
const project = path.join(scratch, "project");
makeSkills();
const server = spawn(process.execPath, [path.join(root, "dist", "cli.js"), "serve", "--port", String(PORT)], {
  cwd: project,
  env: { ...process.env, HOME: path.join(scratch, "home") },
  stdio: ["ignore", "ignore", "pipe"],
});
try {
  await new Promise((resolve) => {
    server.stderr.on("data", (text) => {
      if (String(text).includes("ready:")) resolve();
    });
  });
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  for (let visit = 0; visit < VISITS; visit++) console.log(JSON.stringify(await visitPage(browser)));
  await browser.close();
} finally {
  server.kill("SIGTERM");
  rmSync(scratch, { recursive: true, force: true });
}

function makeSkills() {
  const things = ["pull requests", "PDF files", "release notes", "invoices", "log files", "test suites"];
  for (let number = 0; number < SKILLS; number++) {
    const thing = things[number % things.length];
    const name = `${thing.toLowerCase().replaceAll(" ", "-")}-${number}`;
    const folder = path.join(project, [".claude", ".codex"][number % 2], "skills", name);
    mkdirSync(folder, { recursive: true });
    const description = `Handles ${thing} for team ${number % 37}, the way that the handbook says it should be done.`;
    writeFileSync(
      path.join(folder, "SKILL.md"),
      `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n`,
    );
  }
  mkdirSync(path.join(scratch, "home"), { recursive: true });
}

/** One visit with an empty cache. Times are milliseconds since the address was entered. */
async function visitPage(browser) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  let bytes = 0;
  await network.send("Network.enable");
  network.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.addInitScript(() => {
    new MutationObserver((_changes, observer) => {
      if (document.querySelector(".row") === null) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        globalThis.listedAt = performance.now();
      });
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto(`http://127.0.0.1:${PORT}/`);
  await page.waitForFunction(() => globalThis.listedAt);
  const listMs = Math.round(await page.evaluate("listedAt"));
  const firstPaintMs = Math.round(
    await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"),
  );
  const slowestFrameMs = await page.evaluate(async () => {
    const list = document.querySelector("#skill-list");
    let worst = 0;
    let last = performance.now();
    for (let top = 0; top < list.scrollHeight; top += 2_500) {
      list.scrollTop = top;
      await new Promise(requestAnimationFrame);
      worst = Math.max(worst, performance.now() - last);
      last = performance.now();
    }
    return Math.round(worst);
  });
  const start = performance.now();
  await page.getByLabel("Search skills").fill("handle invoices");
  await page.getByText(/ranked by find_skills/).waitFor();
  const searchMs = Math.round(performance.now() - start);
  await context.close();
  return { bytes, firstPaintMs, listMs, slowestFrameMs, searchMs };
}
