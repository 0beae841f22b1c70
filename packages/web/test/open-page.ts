import { readFileSync } from "node:fs";
import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { ownProgram } from "#agents";
import { CHROMIUM } from "../../../test/support/browser.ts";
import type { AtEnd, Sandbox } from "../../../test/support/sandbox.ts";

/** For the name of a group of tests that a machine without a browser skips. */
export const WITHOUT =
  CHROMIUM === undefined ? " (skipped: no chromium here; apt-get install chromium-headless-shell)" : "";
/** What starts the program on this machine, as the page shows it. */
export const OURS = ownProgram().shown;
export const DESKTOP = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 390, height: 844 } };
/** For polls, on a busy machine. */
export const PATIENCE = { timeout: 45_000 } as const;

export interface Opened {
  readonly page: Page;
  /** Everything that was asked of any server. */
  readonly requests: readonly string[];
  /** What the page did not expect. */
  readonly errors: readonly string[];
}

interface SharedBrowser {
  /** Ends with the group. */
  readonly atEnd: AtEnd;
  /** A page in a context of its own, which ends with the test, or with the group. */
  open(url: string, options?: BrowserContextOptions, atEnd?: AtEnd): Promise<Opened>;
}

/** One browser for all tests of a group. */
export function shareBrowser(): SharedBrowser {
  const ends: (() => void | Promise<void>)[] = [];
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: CHROMIUM ?? "",
      args: ["--no-sandbox", "--disable-gpu"],
    });
  });
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
    await browser.close();
  });
  return {
    atEnd: (end) => ends.push(end),
    async open(url, options = {}, atEnd = onTestFinished) {
      const context = await browser.newContext({
        ...DESKTOP,
        reducedMotion: "reduce",
        ...options,
      });
      atEnd(() => context.close());
      context.setDefaultTimeout(45_000);
      await context.addInitScript(RECORD_MESSAGES);
      const page = await context.newPage();
      const requests: string[] = [];
      const errors: string[] = [];
      page.on("request", (request) => requests.push(request.url()));
      page.on("pageerror", (error) => errors.push(error.message));
      await page.goto(url);
      return { page, requests, errors };
    },
  };
}

/** Messages go away after some seconds, which a busy machine may sleep through: the page collects them. */
const RECORD_MESSAGES = `window.messages = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node instanceof Element && node.matches(".toast")) window.messages.push(node.textContent);
  }).observe(document, { childList: true, subtree: true });
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput, sources } of list.getEntries())
      if (!hadRecentInput) window.shifts.push([value, ...sources.map(({ node }) => node?.className ?? node?.nodeName)]);
  }).observe({ type: "layout-shift", buffered: true })`;

/** How far the parts of the page moved while it was filled, as browsers measure it, with what moved. */
const MOST_SHIFT = 0.05;

/** Nothing that somebody may read or aim at moves away while a page is filled. */
export async function expectNoShift(page: Page, what: string): Promise<void> {
  const shifts = await page.evaluate<readonly (readonly [number, ...string[]])[]>("window.shifts");
  const sum = shifts.reduce((all, [value]) => all + value, 0);
  expect([what, sum > MOST_SHIFT ? shifts : []]).toEqual([what, []]);
}

/** Waits for a message of the page. */
export async function waitForMessage(page: Page, text: string): Promise<void> {
  await page.waitForFunction(`window.messages.some((each) => each.includes(${JSON.stringify(text)}))`);
}

/** Waits for a message that can be taken back, and keeps it: it stays while it has the focus. */
export async function holdMessage(page: Page, text: string): Promise<void> {
  const message = page.locator(".toast", { hasText: text });
  await message.getByRole("button", { name: "Undo" }).focus();
}

/** Two keys that belong together: the second one must not wait for an answer about the first. */
export async function pressInTurn(page: Page, first: string, second: string): Promise<void> {
  await Promise.all([page.keyboard.press(first), page.keyboard.press(second)]);
}

/** Another view of the same document, as a link would open it. */
export async function visit(page: Page, address: string, ready: string): Promise<void> {
  await page.goto(address);
  // What the last view showed may match too: it is gone after the next frame.
  await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  await page.locator(ready).first().waitFor();
}

/** What changes need: the address that `serve` prints has it. */
export function keyOf(sandbox: Sandbox): string {
  return readFileSync(sandbox.path("home/.skills-mcp/dashboard-key"), "utf8").trim();
}

/** The names in the list of skills, from the top. */
export function rowsOf(page: Page): Promise<readonly string[]> {
  // Beside a badge, the name has an element of its own.
  return page
    .locator("#skill-list [role=option] .name")
    .evaluateAll((cells) => cells.map((cell) => (cell.firstElementChild ?? cell).textContent ?? ""));
}

export const figure = (page: Page, label: string) => page.locator(".figure", { hasText: label });

/**
 * No violation that axe knows, in the page as it is now; with `rules`, only of these, and with `part`, only below the element
 * that it selects. It needs a context with `bypassCSP`.
 */
export async function expectAccessible(
  page: Page,
  what: string,
  { rules = [], part }: { readonly rules?: readonly string[]; readonly part?: string | undefined } = {},
): Promise<void> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  const where = part === undefined ? "document" : JSON.stringify(part);
  const only = rules.length === 0 ? "" : `, runOnly: ${JSON.stringify(rules)}`;
  const found = await page.evaluate<readonly string[]>(
    `axe.run(${where}, { resultTypes: ["violations"], preload: false${only} }).then(({ violations }) => violations
      .map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" | ")))`,
  );
  expect([what, found]).toEqual([what, []]);
}

/** How far the page reaches beyond the window; nothing may. */
export async function expectNoOverflow(page: Page, what: string): Promise<void> {
  const [outer, inner] = await page.evaluate<readonly [number, number]>(
    "[document.documentElement.scrollWidth - innerWidth, document.querySelector('main').scrollWidth - document.querySelector('main').clientWidth]",
  );
  expect([what, outer, inner]).toEqual([what, 0, 0]);
}
