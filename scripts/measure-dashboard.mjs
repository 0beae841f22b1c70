// Measures the dashboard in a real browser, and says whether it keeps its promises. The landing page with 1,200 skills: bytes
// transferred, time to first paint and until it shows its numbers and takes keys. The list with 10,000: time to it, the slowest
// frame while scrolling (beside that of an empty page, which is what this browser needs here for nothing), the longest task and
// the mean work of a frame, the longest task while it filters, sorts and searches, and the time of a search.
// Each is visited several times, and the best visit counts: others may use this machine. Exit 1 if a limit is exceeded.
// Needs chromium (or CHROMIUM).
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { chromium } from "playwright-core";
import { ensureBuilt, root } from "./bootstrap.mjs";

const FEW = 1_200;
const MANY = 10_000;
const VISITS = 5;
const LIMITS = { totalBytes: 150_000, firstViewBytes: 60_000, interactiveMs: 1_000, frameMs: 50 };

ensureBuilt();
const [loadBefore = 0] = loadavg();
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const best = { ...sizes() };
for (const [skills, visit] of [
  [FEW, visitOverview],
  [MANY, visitList],
]) {
  const scratch = mkdtempSync(path.join(tmpdir(), "skills-mcp-dashboard-"));
  makeSkills(scratch, skills);
  const server = spawn(process.execPath, [path.join(root, "dist", "cli.js"), "serve", "--port", "0"], {
    cwd: path.join(scratch, "project"),
    env: { ...process.env, HOME: path.join(scratch, "home") },
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    const url = await addressOf(server);
    for (let number = 0; number < VISITS; number++) {
      const measured = await visit(browser, url);
      console.log(JSON.stringify({ skills, ...measured }));
      for (const [name, value] of Object.entries(measured))
        if (typeof value === "number") best[name] = Math.min(best[name] ?? value, value);
    }
  } finally {
    server.kill("SIGTERM");
    await new Promise((resolve) => server.once("exit", resolve));
    rmSync(scratch, { recursive: true, force: true });
  }
}
await browser.close();
process.exitCode = verdict(best) ? 0 : 1;

/** What a browser downloads with gzip: everything, and what the landing page needs. */
function sizes() {
  const folder = path.join(root, "dist", "web");
  const sizeOf = (name) => statSync(path.join(folder, `${name}.gz`)).size;
  const page = readFileSync(path.join(folder, "index.html"), "utf8");
  const all = readdirSync(folder)
    .filter((name) => name.endsWith(".gz"))
    .map((name) => name.slice(0, -3));
  const sum = (names) => names.reduce((total, name) => total + sizeOf(name), 0);
  const first = all.filter((name) => name === "index.html" || page.includes(name));
  return { totalBytes: sum(all), firstViewBytes: sum(first) };
}

/**
 * One line for each promise. A frame is a task of the page's main thread, by processor time: what others use is not in it. By
 * the clock it is judged only where nobody else keeps the cores busy.
 */
function verdict(best) {
  const isBusy = loadBefore > availableParallelism() / 2;
  const lines = [
    ["all files with gzip", best.totalBytes, LIMITS.totalBytes, "bytes"],
    ["files of the first view with gzip", best.firstViewBytes, LIMITS.firstViewBytes, "bytes"],
    [`first view with ${FEW} skills, interactive`, best.interactiveMs, LIMITS.interactiveMs, "ms"],
    [`longest task with ${MANY} skills, scrolling`, best.scrollTaskMs, LIMITS.frameMs, "ms"],
    [`longest task with ${MANY} skills, filtering`, best.filterTaskMs, LIMITS.frameMs, "ms"],
    ...(isBusy ? [] : [["slowest frame by the clock, scrolling", best.slowestFrameMs, LIMITS.frameMs, "ms"]]),
  ].map(([what, value, limit, unit]) => ({ what, value, limit, unit, isMet: value <= limit }));
  for (const { what, value, limit, unit, isMet } of lines)
    console.log(`${isMet ? "ok       " : "TOO MUCH "} ${what}: ${value} of at most ${limit} ${unit}`);
  console.log(`          work of a frame while scrolling, mean: ${best.frameWorkMs} ms`);
  console.log(`          slowest frame of an empty page by the clock: ${best.emptyFrameMs} ms`);
  if (isBusy)
    console.log(
      `not judged slowest frame by the clock: ${best.slowestFrameMs} ms at a load of ${loadBefore.toFixed(1)} before this began`,
    );
  return lines.every(({ isMet }) => isMet);
}

function makeSkills(scratch, count) {
  const things = ["pull requests", "PDF files", "release notes", "invoices", "log files", "test suites"];
  for (let number = 0; number < count; number++) {
    const thing = things[number % things.length];
    const name = `${thing.toLowerCase().replaceAll(" ", "-")}-${number}`;
    const folder = path.join(scratch, "project", [".claude", ".codex"][number % 2], "skills", name);
    mkdirSync(folder, { recursive: true });
    const description = `Handles ${thing} for team ${number % 37}, the way that the handbook says it should be done.`;
    writeFileSync(
      path.join(folder, "SKILL.md"),
      `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n`,
    );
  }
  mkdirSync(path.join(scratch, "home"), { recursive: true });
}

/** The landing page, with an empty cache. Times are milliseconds since the address was entered. */
async function visitOverview(browser, url) {
  const { page, context, transferred } = await openPage(browser, `${url}/`, ".figure strong");
  const seenMs = Math.round(await page.evaluate("seenAt"));
  await page.keyboard.press("?");
  await page.getByRole("dialog").waitFor();
  const firstPaintMs = await firstPaint(page);
  const bytes = transferred();
  await context.close();
  return { view: "overview", bytes, firstPaintMs, interactiveMs: seenMs };
}

/** The list of skills, with an empty cache. */
async function visitList(browser, url) {
  const { page, context } = await openPage(browser, `${url}/#/skills`, "#skill-list [role=option]");
  const listMs = Math.round(await page.evaluate("seenAt"));
  // Facts and findings arrive after the list; what follows is about a page at rest.
  await page.waitForFunction(() => document.querySelector("[role=option] .tokens")?.textContent !== "");
  const trace = { categories: ["disabled-by-default-devtools.timeline", "toplevel"] };
  await browser.startTracing(page, trace);
  const { frames, slowestFrameMs } = await scroll(page);
  const { longest: scrollTaskMs, sum } = mainTasks(await browser.stopTracing());
  await browser.startTracing(page, trace);
  for (const [label, value] of [
    ["Provider", "codex"],
    ["Sort", "name"],
    ["Group", "provider"],
    ["Group", ""],
    ["Provider", ""],
  ])
    await page.getByRole("combobox", { name: label }).selectOption(value);
  await page.getByLabel("Search skills").pressSequentially("invoices team 7");
  await page.getByText(/ranked by find_skills/).waitFor();
  const { longest: filterTaskMs } = mainTasks(await browser.stopTracing());
  await page.getByLabel("Search skills").fill("");
  const start = performance.now();
  await page.getByLabel("Search skills").fill("handle invoices");
  await page.getByText(/ranked by find_skills/).waitFor();
  const searchMs = Math.round(performance.now() - start);
  const empty = await context.newPage();
  await empty.setContent(
    '<div id="skill-list" style="height: 600px; overflow: auto"><div style="height: 360000px"></div></div>',
  );
  const { slowestFrameMs: emptyFrameMs } = await scroll(empty);
  await context.close();
  const frameWorkMs = Math.round((10 * sum) / frames) / 10;
  return {
    view: "skills",
    ...{ listMs, slowestFrameMs, emptyFrameMs, scrollTaskMs, frameWorkMs, filterTaskMs, searchMs },
  };
}

/** From the top to the end, other rows in every frame. */
async function scroll(page) {
  return await page.evaluate(async () => {
    const list = document.querySelector("#skill-list");
    let frames = 0;
    let worst = 0;
    let last = await new Promise(requestAnimationFrame);
    for (let top = 0; top < list.scrollHeight; top += 2_500) {
      list.scrollTop = top;
      const now = await new Promise(requestAnimationFrame);
      worst = Math.max(worst, now - last);
      last = now;
      frames++;
    }
    return { frames, slowestFrameMs: Math.round(worst) };
  });
}

/** Where a server listens, once it has read the skills. */
async function addressOf(server) {
  let log = "";
  return await new Promise((resolve, reject) => {
    server.once("exit", () => reject(new Error(`The server ended: ${log}`)));
    server.stderr.on("data", (text) => {
      log += text;
      const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(log) ?? [];
      if (address !== undefined && log.includes("ready:")) resolve(address);
    });
  });
}

/** Opens an address and waits for the first element that matches; `seenAt` is when it was there and drawn. */
async function openPage(browser, address, selector) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  let bytes = 0;
  await network.send("Network.enable");
  network.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.addInitScript((wanted) => {
    new MutationObserver((_changes, observer) => {
      if (document.querySelector(wanted) === null) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        globalThis.seenAt = performance.now();
      });
    }).observe(document, { childList: true, subtree: true });
  }, selector);
  await page.goto(address);
  await page.waitForFunction(() => globalThis.seenAt);
  return { page, context, transferred: () => bytes };
}

async function firstPaint(page) {
  return Math.round(
    await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"),
  );
}

/** The processor time of the page's main thread: the most that one task took, and all of them. */
function mainTasks(trace) {
  const { traceEvents } = JSON.parse(trace.toString("utf8"));
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const times = traceEvents
    .filter(
      ({ name, pid, tid, tdur }) =>
        name === "ThreadControllerImpl::RunTask" && tdur !== undefined && mains.has(`${pid} ${tid}`),
    )
    .map(({ tdur }) => tdur / 1000);
  return { longest: Math.round(Math.max(0, ...times)), sum: times.reduce((sum, time) => sum + time, 0) };
}
