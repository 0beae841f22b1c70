import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM } from "../../../test/support/browser.ts";
import { createSandbox, type Sandbox } from "../../../test/support/sandbox.ts";
import { serve } from "../../../test/support/serve.ts";
import {
  expectAccessible,
  expectNoOverflow,
  holdMessage,
  keyOf,
  type Opened,
  PATIENCE,
  PHONE,
  shareBrowser,
  visit,
  WITHOUT,
} from "./open-page.ts";

const COUNT = 1_200;

/** 1,200 skills for two installed agents; one skill is that of one of them, and one is disabled. */
function machine(atEnd: Parameters<typeof createSandbox>[1]): Sandbox {
  const sandbox = createSandbox(undefined, atEnd);
  sandbox.write("home/.codex/config.toml", "");
  sandbox.write("home/.claude.json", "{}");
  for (let number = 0; number < COUNT - 2; number++)
    sandbox.skill(`project/.kiro/skills/task-${String(number).padStart(4, "0")}`, {
      description: `Does task ${number} for whoever asks for it, with all the steps that it takes.`,
    });
  sandbox.skill("home/.claude/skills/own", { description: "Is read by Claude Code." });
  sandbox.write("home/.kiro/skills/off/.SKILL.md", "---\nname: off\ndescription: Off.\n---\n");
  return sandbox;
}

const SHIFTS = `window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
  }).observe({ type: "layout-shift", buffered: true })`;

describe.skipIf(CHROMIUM === undefined)(`who sees which skill, in a browser${WITHOUT}`, () => {
  const { atEnd, open } = shareBrowser();
  let url: string;
  let key: string;
  let opened: Opened;
  let page: Page;

  beforeAll(async () => {
    const sandbox = machine(atEnd);
    url = await serve(sandbox, [], {}, atEnd);
    key = `#key=${keyOf(sandbox)}`;
    opened = await open(`${url}/${key}`, { bypassCSP: true }, atEnd);
    page = opened.page;
    await page.addInitScript(SHIFTS);
  });

  const grid = () => page.getByRole("grid");
  const cell = (name: string) => page.getByRole("gridcell", { name });

  test("the matrix draws the rows in view of 1,200, and is read and used by keyboard alone", async () => {
    await page.goto(`${url}/#/overview`);
    await page.reload();
    await page.locator(".figure").first().waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("b");
    await page.getByRole("heading", { name: "Seen by", level: 1 }).waitFor();
    await cell("task-0000 in Codex").waitFor();
    expect(await grid().getAttribute("aria-rowcount")).toBe(String(COUNT + 1));
    expect(await page.getByRole("gridcell").count()).toBeLessThan(60 * 5);
    await grid().focus();
    await page.keyboard.press("Control+End");
    await cell("own in Claude Code: read by the agent itself").waitFor();
    await cell("off in Kiro: not served").waitFor();
    await expect
      .poll(
        async () => page.locator(`#${await grid().getAttribute("aria-activedescendant")}`).count(),
        PATIENCE,
      )
      .toBe(1);
    await page.keyboard.press("Enter");
    const why = page.getByRole("complementary", { name: "off in Kiro" });
    await why.getByText("No agent sees off, because it is disabled.").waitFor();
    await expectAccessible(page, "a reason");
    await page.keyboard.press("Escape");
    await why.waitFor({ state: "detached" });
    await expect
      .poll(() => page.evaluate("document.activeElement.getAttribute('role')"), PATIENCE)
      .toBe("grid");
    expect(await page.evaluate<number>("window.shifted")).toBeLessThanOrEqual(0.05);
  });

  test("a heading sorts, a text and a way to see filter, and all of it is in the address", async () => {
    await visit(page, `${url}/#/seen`, ".matrix [role=gridcell]");
    await page
      .getByRole("columnheader", { name: /Claude Code/ })
      .getByRole("button")
      .click();
    await page
      .getByRole("columnheader", { name: /Claude Code/ })
      .and(page.locator("[aria-sort=ascending]"))
      .waitFor();
    await page.getByRole("button", { name: "not served" }).click();
    await expect.poll(() => grid().getAttribute("aria-rowcount"), PATIENCE).toBe("2");
    expect(page.url()).toContain("sort=claude-code");
    expect(page.url()).toContain("way=hidden");
    await page.getByRole("searchbox", { name: "Filter the skills" }).fill("nothing like it");
    await page.getByRole("button", { name: "Show all" }).click();
    await expect.poll(() => grid().getAttribute("aria-rowcount"), PATIENCE).toBe(String(COUNT + 1));
    await page.getByRole("button", { name: "All agents" }).click();
    await page.getByRole("columnheader", { name: /Zed/ }).waitFor();
  });

  test("a cell says why, changes it at once, and takes it back", async () => {
    await visit(page, `${url}/#/seen?q=task-0007`, ".matrix [role=gridcell]");
    const codex = page.getByRole("gridcell", { name: /task-0007 in Codex/ });
    const before = await codex.getAttribute("aria-label");
    await codex.click();
    const why = page.getByRole("complementary", { name: "task-0007 in Codex" });
    await why.getByRole("button", { name: "Always list it whole" }).click();
    await cell("task-0007 in Codex: whole description").waitFor();
    await why.getByText(/before all others/).waitFor();
    await holdMessage(page, "task-0007 is listed first");
    await page.keyboard.press("Enter");
    await cell(before ?? "").waitFor();
    await why.getByRole("button", { name: "How it is listed for Codex" }).click();
    await page.getByRole("menuitem", { name: "In no list", exact: true }).click();
    await cell("task-0007 in Codex: loads by name only").waitFor();
    await why.getByRole("button", { name: "List it as usual" }).click();
    await cell(before ?? "").waitFor();
    await why.getByRole("button", { name: "Disable for Codex" }).click();
    await cell("task-0007 in Codex: not served").waitFor();
    await why.getByRole("button", { name: "Enable for Codex" }).click();
    await cell(before ?? "").waitFor();
  });

  test("a skill opens with who sees it, and why", async () => {
    await visit(page, `${url}/#/skills?open=own`, ".seen-agent");
    expect(await page.getByRole("tab", { selected: true }).textContent()).toBe("Seen by");
    await page.getByText("Claude Code reads own from disk, so skills-mcp does not list it again.").waitFor();
    await page.getByRole("button", { name: "All other agents" }).click();
    await page.locator(".seen-agent", { hasText: "Zed" }).waitFor();
    await expectAccessible(page, "the first tab of a skill");
  });

  test("without a violation in light and dark, and on a phone without overflow", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
      await visit(page, `${url}/#/seen`, ".matrix [role=gridcell]");
      await expectAccessible(page, `the matrix, ${colorScheme}`);
    }
    const { page: phone, errors } = await open(`${url}/${key}`, { ...PHONE, bypassCSP: true });
    await visit(phone, `${url}/#/seen?agents=all`, ".matrix [role=gridcell]");
    await expectNoOverflow(phone, "the matrix on a phone");
    await phone
      .getByRole("gridcell", { name: /in Codex/ })
      .first()
      .click();
    await phone.locator(".seen-why p").first().waitFor();
    await expectNoOverflow(phone, "a reason on a phone");
    await expectAccessible(phone, "a reason on a phone");
    expect([...errors, ...opened.errors]).toEqual([]);
  });

  test("on a machine without skills it says what to do", async () => {
    const empty = createSandbox();
    const address = await serve(empty, ["--no-default-dirs"], {});
    const { page: first } = await open(`${address}/#/seen`, { bypassCSP: true });
    await first.getByRole("heading", { name: "Seen by", level: 1 }).waitFor();
    await first.locator(".empty, .matrix").first().waitFor();
    await expectAccessible(first, "no skill");
  });
});
