import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM } from "../../../test/support/browser.ts";
import { connectHttp } from "../../../test/support/connect-http.ts";
import { commandJson } from "../../../test/support/in-process.ts";
import type { Sandbox } from "../../../test/support/sandbox.ts";
import { serve } from "../../../test/support/serve.ts";
import { expectAccessibleEverywhere, expectFitsEverywhere } from "./every-view.ts";
import { reachEverythingByKeyboard } from "./keyboard.ts";
import {
  DESKTOP,
  expectAccessible,
  figure,
  keyOf,
  type Opened,
  PATIENCE,
  PHONE,
  rowsOf,
  shareBrowser,
  visit,
  WITHOUT,
} from "./open-page.ts";
import { createShop, LONG_NAME, LONG_WORD } from "./shop.ts";

/** These change nothing, so that one server, and mostly one page, is enough for all of them. */
describe.skipIf(CHROMIUM === undefined)(`reading the dashboard in a browser${WITHOUT}`, () => {
  const { atEnd, open } = shareBrowser();
  let sandbox: Sandbox;
  let url: string;
  let opened: Opened;
  let page: Page;

  beforeAll(async () => {
    sandbox = createShop(atEnd);
    url = await serve(sandbox, ["--library", sandbox.path("lib")], {}, atEnd);
    const permissions = ["clipboard-read", "clipboard-write"];
    // With the key, which adds what changes something: it is judged too.
    opened = await open(`${url}/#key=${keyOf(sandbox)}`, { bypassCSP: true, permissions }, atEnd);
    page = opened.page;
  });

  const goTo = (hash: string, ready: string): Promise<void> => visit(page, `${url}/${hash}`, ready);

  test("every skill is shown, found as one types, filtered, and all of it is in the address", async () => {
    await goTo("#/skills", "#skill-list [role=option]");
    await page.getByRole("option", { name: /release-notes/ }).waitFor();
    const served = ["hostile", LONG_NAME, "pdf", "release-notes", "_root", "ui/button", "ui/link"];
    expect(await rowsOf(page)).toEqual([...served, "pdf", "bad", "b".repeat(120)]);
    await page.getByLabel("Search skills").pressSequentially("merging pdfs");
    await page.getByText(/ranked by find_skills/).waitFor();
    expect((await rowsOf(page))[0]).toBe("pdf");
    await page.getByLabel("Search skills").fill("");
    await page.getByRole("combobox", { name: "Provider" }).selectOption("library");
    await expect.poll(() => rowsOf(page), PATIENCE).toEqual(["_root", "ui/button", "ui/link"]);
    await page.getByRole("option", { name: /button/ }).click();
    await page.getByRole("heading", { name: "ui/button" }).waitFor();
    await page.getByRole("tab", { name: "Inherits (1)" }).click();
    await page.getByText(sandbox.path("lib/_root.md")).waitFor({ state: "attached" });
    await page.getByRole("tab", { name: "Agent text" }).click();
    await page.getByText("=== UI > BUTTON (from ui/button.md) ===").waitFor();
    await page.reload();
    await page.getByText("=== UI > BUTTON (from ui/button.md) ===").waitFor();
    expect(await rowsOf(page)).toEqual(["_root", "ui/button", "ui/link"]);
  });

  test("skills are sorted, grouped, filtered by findings and shown in the columns that one chose", async () => {
    await goTo("#/skills", "#skill-list [role=option]");
    await page.getByRole("button", { name: "Sort by name" }).click();
    await page.getByRole("button", { name: "Sort by name, smallest first" }).click();
    await expect.poll(async () => (await rowsOf(page))[0], PATIENCE).toBe("ui/link");
    await page.getByLabel("Group").selectOption("provider");
    await page.locator(".group-row", { hasText: "codex" }).waitFor();
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("checkbox", { name: "Source" }).check();
    await page.getByRole("button", { name: "Sort by source" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("combobox", { name: "Findings" }).selectOption("errors");
    await expect.poll(() => rowsOf(page), PATIENCE).not.toContain("release-notes");
    // What is not served has errors; a description that is too long is served, and a warning.
    expect(await rowsOf(page)).toEqual(["b".repeat(120), "bad"]);
    expect(page.url()).toMatch(/sort=-name.*group=provider.*cols=.*source.*findings=errors/);
    // Whoever follows the link sees the same.
    const link = page.url();
    await goTo("#/health", ".problem-group");
    await page.goto(link);
    await page.getByRole("button", { name: "Clear the filter Findings" }).click();
    await expect.poll(async () => (await rowsOf(page)).length, PATIENCE).toBe(10);
  });

  test("one skill has its text, its files, what it shadows, and what to copy", async () => {
    await goTo("#/skills?open=pdf&tab=read", ".markdown td");
    await page.getByText("Shadows").waitFor();
    const copied = () => page.evaluate<string>("navigator.clipboard.readText()");
    await page.getByRole("button", { name: "Copy the name" }).click();
    await expect.poll(copied, PATIENCE).toBe("pdf");
    await page.getByRole("button", { name: "Copy the path" }).click();
    await expect.poll(copied, PATIENCE).toBe(sandbox.path("project/.claude/skills/pdf/SKILL.md"));
    await page.getByRole("button", { name: "the tips" }).click();
    await page.getByText("Keep the original.").waitFor();
    await page.getByRole("button", { name: /logo\.png/ }).click();
    const picture = page.getByRole("img", { name: "logo.png" });
    await picture.waitFor();
    expect(
      await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
    ).toBe(1);
    await page.getByRole("tab", { name: "Agent text" }).click();
    await page.getByText("Loading: pdf").waitFor();
    await page.getByRole("button", { name: "Connect" }).click();
    await page.getByLabel("By hand:").selectOption("Claude Code");
    await page.getByRole("button", { name: "Copy the configuration for Claude Code" }).click();
    await expect
      .poll(copied, PATIENCE)
      .toBe(`claude mcp add --scope user --transport http skills ${url}/mcp`);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count(), PATIENCE).toBe(0);
  });

  test("nothing that a skill brings along runs", async () => {
    const { page: guarded, requests } = await open(`${url}/#/skills?open=hostile&tab=read`);
    await guarded.getByText("The end of it.").waitFor();
    await guarded.getByText("Click me").click();
    await guarded.getByText("Follow").click();
    expect(await guarded.evaluate("window.hacked")).toBeUndefined();
    const html = await guarded.locator(".markdown").innerHTML();
    expect(html).not.toMatch(
      /<(?:script|img|svg|iframe|style|form|input|math)|\son\w+=|javascript:|style=|id=/i,
    );
    expect(requests.filter((request) => !request.startsWith(url))).toEqual([]);
    // What is cleaned away would not have run either.
    const inline = "const s = document.createElement('script'); s.textContent = 'window.hacked = 1'";
    await guarded.evaluate(`try { ${inline}; document.body.append(s) } catch {}`);
    await guarded.evaluate(
      "(() => { try { document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=window.hacked=2>') } catch {} })()",
    );
    expect(await guarded.evaluate("window.hacked")).toBeUndefined();
  });

  test("a task is tried as an agent would, and the levers change what a model sees", async () => {
    await goTo("#/try", ".empty");
    await page.keyboard.press("/");
    await page.keyboard.type("button colour");
    await page.keyboard.press("Enter");
    const library = page.getByRole("region", { name: "get_skill" });
    await library.getByRole("link", { name: "ui/button" }).waitFor();
    await library.getByText("Make it blue.").waitFor();
    await page.goto(`${url}/#/try?task=merges+PDF&client=other`);
    const found = page.getByRole("region", { name: "find_skills" });
    await found.getByRole("link", { name: "pdf", exact: true }).waitFor();
    await found.getByText("above the floor").first().waitFor();
    expect(await page.getByRole("region", { name: "skills.search" }).count()).toBe(0);

    await page.goto(`${url}/#/model`);
    const isNative = page.getByText(/because Claude Code reads (?:it|them) from disk/);
    await isNative.waitFor();
    await page.getByLabel("Also list skills read from disk").check();
    await page.getByText(/cli\.js doctor --client claude-code@[\d.]+ --include-native/).waitFor();
    await expect.poll(() => isNative.count(), PATIENCE).toBe(0);
    await page.getByLabel("Client").selectOption("codex");
    await page.getByText("Codex cuts the answer of a tool").waitFor();
    expect(page.url()).toMatch(/native=1.*client=codex|client=codex.*native=1/);
    await page.goto(`${url}/#/model?client=other`);
    await page.getByText("4 / 4").waitFor();
    await page.getByRole("slider").focus();
    await page.keyboard.press("Home");
    await page.getByText("find_skills is among the tools").waitFor();
    expect(page.url()).toMatch(/budget=\d+/);
  });

  test("findings are the same everywhere: landing page, navigation, Health, doctor and status", async () => {
    const { counts } = (await (await fetch(`${url}/api/v1/problems`)).json()) as {
      readonly counts: { readonly error: number; readonly warning: number; readonly advice: number };
    };
    expect(counts.error).toBeGreaterThan(1);
    await goTo("#/overview", ".figure");
    const label = `${counts.error}errors${counts.warning} warning`;
    await expect.poll(() => figure(page, "errors").textContent(), PATIENCE).toContain(label);
    await page.getByRole("link", { name: new RegExp(`^Fix ${counts.error} errors`) }).waitFor();
    await page.getByRole("link", { name: new RegExp(`^Health ${counts.error} errors`) }).click();
    await page.getByRole("button", { name: `Errors ${counts.error}` }).waitFor();
    await page.getByRole("button", { name: `Warnings ${counts.warning}` }).waitFor();
    await page.getByRole("button", { name: `Advice ${counts.advice}` }).waitFor();
    await page.getByText(/^\d+ errors, \d+ warnings?, \d+ advice$/).waitFor();
    const listed = page.locator(".problem-group ul > li");
    await expect.poll(() => listed.count(), PATIENCE).toBe(counts.error + counts.warning + counts.advice);
    const flags = ["--json", "--library", sandbox.path("lib")];
    expect(await commandJson(sandbox, "doctor", ...flags)).toMatchObject({ counts });
    const { error: errors, warning: warnings } = counts;
    // It waits a second for the checks, and counts less on a machine that takes longer.
    await expect
      .poll(() => commandJson(sandbox, "status", ...flags), PATIENCE)
      .toMatchObject({ errors, warnings });
  });

  test("Health filters by severity, check and word, and has it in the address", async () => {
    await goTo("#/health", ".problem-group");
    const groups = page.locator(".problem-group");
    const all = await groups.count();
    expect(all).toBeGreaterThan(1);
    await page.getByRole("button", { name: /^Errors/ }).click();
    await expect.poll(() => groups.count(), PATIENCE).toBeLessThan(all);
    expect(page.url()).toContain("severity=error");
    await page.keyboard.press("/");
    await page.keyboard.type("nothing like it");
    await page.getByText("No finding matches").waitFor();
    await expectAccessible(page, "no match");
    await page.getByLabel("Filter findings").fill("bad/SKILL.md");
    await expect.poll(() => groups.count(), PATIENCE).toBe(1);
    await page.locator("h1").click();
    for (const key of ["j", "j", "Enter"]) await page.keyboard.press(key);
    await page.getByRole("heading", { name: "bad", exact: true }).waitFor();
    await page.locator(".detail .badge", { hasText: "Broken" }).waitFor();
    await page.getByRole("button", { name: "Line 1" }).click();
    await page.getByText("# What is missing?").waitFor();
    await page.locator(".marked-line").waitFor();
  });

  test("what real clients used, and their searches with no match, are in the views and the charts", async () => {
    await goTo("#/usage", ".empty");
    await page.getByText("No usage yet").waitFor();
    const { client } = await connectHttp(url, "2025-11-25");
    for (const name of ["pdf", "pdf", "release-notes"])
      await client.callTool({ name: "skill", arguments: { name } });
    for (const context of ["translate the invoice", "the colour", LONG_WORD])
      await client.callTool({ name: "get_skill", arguments: { context } });
    const feedback = { skill_path: "ui/button", useful: false, comment: "Too blue." };
    await client.callTool({ name: "report_usage", arguments: feedback });
    // What happened is on disk a moment later.
    await expect
      .poll(async () => (await fetch(`${url}/api/v1/usage`)).text(), PATIENCE)
      .toContain("Too blue.");
    await page.reload();
    await page.getByText("“Too blue.”").waitFor();
    expect(await page.locator(".figure").first().innerText()).toMatch(/^3\s+loads$/);
    await page.getByText("translate the invoice").waitFor();
    await page.getByText("the colour").waitFor();
    const used = page.getByRole("group", { name: "Use of each skill" });
    const countsOf = (name: string) =>
      used
        .locator("tr", { has: page.getByRole("link", { name, exact: true }) })
        .locator("td.end")
        .allInnerTexts();
    // Suggested, found, loaded, scripts.
    expect(await countsOf("pdf")).toEqual(["0", "0", "2", "0"]);
    expect(await countsOf("release-notes")).toEqual(["0", "0", "1", "0"]);
    // A day is a click away, by hand and by keyboard, and so is a skill.
    await page.locator(".chart canvas").first().waitFor();
    const { width = 0 } = (await page.locator(".u-over").first().boundingBox()) ?? {};
    await page
      .locator(".u-over")
      .first()
      .click({ position: { x: width - 12, y: 60 } });
    await page.getByText("Showing").waitFor();
    expect(page.url()).toContain("day=");
    await page.getByRole("button", { name: "All days" }).click();
    await used.getByRole("link", { name: "pdf", exact: true }).click();
    await page.getByRole("tab", { name: "Usage (2)" }).click();
    await page.getByText("Loaded 2 times in the last 30 days.").waitFor();
    await page.locator(".detail .chart canvas").waitFor();
    await goTo("#/overview", ".chart canvas");
    await figure(page, "agent connected").filter({ hasText: "1" }).waitFor();
    const chart = page.getByRole("slider", { name: /Loads per day/ });
    await chart.focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("End");
    const told = () => chart.getAttribute("aria-valuetext");
    await expect.poll(told, PATIENCE).toMatch(/^\d{4}-\d\d-\d\d, Loads 3$/);
    const day = (await told())?.slice(0, 10);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Usage", level: 1 }).waitFor();
    expect(page.url()).toContain(`day=${day}`);
  });

  const brokenFile = (): string => sandbox.path("project/.claude/skills/bad/SKILL.md");

  test("axe finds nothing in any view, light or dark, with more contrast or without", async () => {
    await expectAccessibleEverywhere(page, url, brokenFile());
  });

  test("a phone shows every view in its width, whatever a word is like", async () => {
    await page.setViewportSize(PHONE.viewport);
    await expectFitsEverywhere(page, url, brokenFile());
    await page.setViewportSize(DESKTOP.viewport);
  });

  // It chooses a theme, after which the system's does not count.
  test("the palette opens the skill that was typed, and fetches nothing", async () => {
    await goTo("#/overview", ".figure");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search skills, views and actions" }).waitFor();
    await page.keyboard.type("pdf");
    await page.getByRole("dialog").getByRole("option", { name: /^pdf/ }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "pdf", level: 2 }).waitFor();
    expect(opened.requests.filter((each) => each.includes("sources/check"))).toEqual([]);
  });

  test("the keyboard alone reaches every view, the palette, a skill and its tabs", async () => {
    await reachEverythingByKeyboard(page, url);
  });

  test("an answer that fails is said, and asked for again", async () => {
    await page.route("**/api/v1/model**", (route) => route.abort());
    await page.goto(`${url}/#/model?client=gemini-cli`);
    await page.getByRole("alert").getByText("The server is not responding").first().waitFor();
    await page.unroute("**/api/v1/model**");
    await page.getByRole("button", { name: "Try again" }).first().click();
    await figure(page, "tokens at turn 1").waitFor();
    expect(opened.requests.filter((request) => !request.replace(/^blob:/, "").startsWith(url))).toEqual([]);
    expect(opened.errors).toEqual([]);
  });
});
