import { appendFileSync, rmSync, writeFileSync } from "node:fs";
import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { connectHttp } from "../http/open-http.ts";
import { CHROMIUM } from "../support/browser.ts";
import { createSandbox, FAST_FOLDER, skillText } from "../support/sandbox.ts";
import { serve } from "../support/serve.ts";
import { createShop } from "./shop.ts";

const WITHOUT = CHROMIUM === undefined ? " (skipped: no chromium here; apt-get install chromium)" : "";
const PHONE = { viewport: { width: 390, height: 780 } } as const;

describe.skipIf(CHROMIUM === undefined)(`the dashboard in a browser${WITHOUT}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM ?? "", args: ["--no-sandbox"] });
  });
  afterAll(() => browser.close());

  interface Opened {
    readonly page: Page;
    /** Everything that was asked of any server. */
    readonly requests: readonly string[];
    /** What the page did not expect. */
    readonly errors: readonly string[];
  }

  async function open(url: string, options: BrowserContextOptions = {}): Promise<Opened> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    onTestFinished(() => context.close());
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    const requests: string[] = [];
    const errors: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(url);
    return { page, requests, errors };
  }

  const rowsOf = (page: Page) => page.locator("#skill-list [role=option] .name").allTextContents();

  test("shows every skill, finds them as one types, filters them, and keeps all of it in its address", async () => {
    const sandbox = createShop();
    const url = await serve(sandbox, ["--library", sandbox.path("lib")]);
    const { page, requests, errors } = await open(url);
    await page.getByRole("option", { name: /release-notes/ }).waitFor();
    expect(await rowsOf(page)).toEqual([
      "hostile",
      "pdf",
      "release-notes",
      "_root",
      "ui/button",
      "ui/link",
      "pdf",
      "bad",
    ]);

    await page.getByLabel("Search skills").pressSequentially("merging pdfs");
    await page.getByText(/ranked by find_skills/).waitFor();
    expect((await rowsOf(page))[0]).toBe("pdf");
    await page.getByLabel("Search skills").fill("");
    await page.getByLabel("Provider").selectOption("library");
    await expect.poll(() => rowsOf(page)).toEqual(["_root", "ui/button", "ui/link"]);
    await page.getByRole("option", { name: /button/ }).click();
    await page.getByRole("heading", { name: "ui/button" }).waitFor();
    await page.getByRole("tab", { name: "Inherits (1)" }).click();
    await page.getByText(sandbox.path("lib/_root.md")).waitFor({ state: "attached" });
    await page.getByRole("tab", { name: "Agent text" }).click();
    await page.getByText("=== UI > BUTTON (from ui/button.md) ===").waitFor();

    await page.reload();
    await page.getByText("=== UI > BUTTON (from ui/button.md) ===").waitFor();
    expect(await rowsOf(page)).toEqual(["_root", "ui/button", "ui/link"]);
    expect(requests.filter((request) => !request.startsWith(url))).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("shows one skill with its text, the skill it shadows and its files", async () => {
    const sandbox = createShop();
    const url = await serve(sandbox);
    const { page } = await open(`${url}/#/skills?open=pdf`);
    await page.getByRole("cell", { name: "qpdf" }).waitFor();
    await page.getByText("Shadows").waitFor();
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
  });

  test("copies the name, the path and what to write into a client", async () => {
    const sandbox = createShop();
    const url = await serve(sandbox);
    const permissions = ["clipboard-read", "clipboard-write"];
    const { page } = await open(`${url}/#/skills?open=pdf`, { permissions });
    const copied = () => page.evaluate<string>("navigator.clipboard.readText()");
    await page.getByRole("button", { name: "Copy the name" }).click();
    await expect.poll(copied).toBe("pdf");
    await page.getByRole("button", { name: "Copy the path" }).click();
    await expect.poll(copied).toBe(sandbox.path("project/.claude/skills/pdf/SKILL.md"));
    await page.getByRole("button", { name: "Connect" }).click();
    await page.getByRole("button", { name: "Copy the configuration for Claude Code" }).click();
    await expect.poll(copied).toBe(`claude mcp add --scope user --transport http skills ${url}/mcp`);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });

  test("follows the disk without a reload", async () => {
    const sandbox = createShop();
    const url = await serve(sandbox);
    const { page } = await open(`${url}/#/skills?open=pdf`);
    await page.getByText("Live").waitFor();
    await page.getByRole("cell", { name: "qpdf" }).waitFor();
    appendFileSync(sandbox.path("project/.claude/skills/pdf/SKILL.md"), "\nNever overwrite it.\n");
    await page.getByText("Never overwrite it.").waitFor();
    sandbox.skill("project/.claude/skills/xlsx");
    await page.getByRole("option", { name: /xlsx/ }).waitFor();
    rmSync(sandbox.path("project/.claude/skills/xlsx"), { recursive: true });
    await page.getByRole("option", { name: /xlsx/ }).waitFor({ state: "detached" });
  });

  test("says what is wrong with a broken skill, on which line, and notices that it was repaired", async () => {
    const sandbox = createShop();
    const url = await serve(sandbox);
    const { page } = await open(`${url}/#/health`);
    await page.getByText("error No front matter").waitFor();
    await page
      .getByRole("link", { name: /skills\/bad\/SKILL\.md/ })
      .first()
      .click();
    await page.getByRole("heading", { name: "bad" }).waitFor();
    await page.locator(".detail .badge", { hasText: "Broken" }).waitFor();
    await page.getByRole("button", { name: "Line 1" }).click();
    await page.getByText("# What is missing?").waitFor();
    await page.locator(".marked-line").waitFor();
    writeFileSync(sandbox.path("project/.claude/skills/bad/SKILL.md"), skillText("good", "Is repaired."));
    await page.getByRole("option", { name: /good/ }).waitFor();
    await page.goto(`${url}/#/health`);
    await page.getByText("No problems").waitFor();
  });

  test("runs nothing that a skill brings along", async () => {
    const url = await serve(createShop());
    const { page, requests } = await open(`${url}/#/skills?open=hostile`);
    await page.getByText("The end of it.").waitFor();
    await page.getByText("Click me").click();
    await page.getByText("Follow").click();
    const shown = page.locator(".markdown");
    expect(await page.evaluate("window.hacked")).toBeUndefined();
    const html = await shown.innerHTML();
    expect(html).not.toMatch(
      /<(?:script|img|svg|iframe|style|form|input|math)|\son\w+=|javascript:|style=|id=/i,
    );
    expect(requests.filter((request) => !request.startsWith(url))).toEqual([]);
    // What is cleaned away would not have run either.
    const inline = "const s = document.createElement('script'); s.textContent = 'window.hacked = 1'";
    await page.evaluate(`try { ${inline}; document.body.append(s) } catch {}`);
    await page.evaluate(
      "(() => { try { document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=window.hacked=2>') } catch {} })()",
    );
    expect(await page.evaluate("window.hacked")).toBeUndefined();
  });

  test("shows what real clients used, and their searches with no match", async () => {
    const sandbox = createShop();
    const url = await serve(sandbox, ["--library", sandbox.path("lib")]);
    const { page } = await open(`${url}/#/usage`);
    await page.getByText("No usage yet").waitFor();
    const { client } = await connectHttp(url, "2025-11-25");
    for (const name of ["pdf", "pdf", "release-notes"])
      await client.callTool({ name: "skill", arguments: { name } });
    const context = (text: string) => client.callTool({ name: "get_skill", arguments: { context: text } });
    await context("translate the invoice");
    await context("the colour");
    await client.callTool({
      name: "report_usage",
      arguments: { skill_path: "ui/button", useful: false, comment: "Too blue." },
    });

    // What happened is on disk a moment later.
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.locator(".panel").first().waitFor();
          return page.locator(".page").innerText();
        },
        { timeout: 10_000 },
      )
      .toContain("Too blue.");
    expect(await page.locator(".figure").first().innerText()).toMatch(/^3\s+served$/);
    await page.locator(".chart canvas").first().waitFor();
    await page.getByText("translate the invoice").waitFor();
    await page.getByText("the colour").waitFor();
    await page.getByText("“Too blue.”").waitFor();
    expect(await page.locator(".top-skills li").allInnerTexts()).toEqual([
      expect.stringMatching(/^pdf\s+2$/),
      expect.stringMatching(/^release-notes\s+1$/),
    ]);
    // A day is a click away, by hand and by keyboard, and so is a skill.
    const { width = 0 } = (await page.locator(".u-over").first().boundingBox()) ?? {};
    await page
      .locator(".u-over")
      .first()
      .click({ position: { x: width - 12, y: 60 } });
    await page.getByText("Showing").waitFor();
    expect(page.url()).toContain("day=");
    await page.getByRole("button", { name: "All days" }).click();
    await page.getByRole("link", { name: "pdf", exact: true }).click();
    await page.getByRole("tab", { name: "Usage (2)" }).click();
    await page.getByText("Served 2 times in the last 30 days.").waitFor();
    await page.locator(".detail .chart canvas").waitFor();
  });

  test("tries a task as an agent would, and weighs the description of the tool", async () => {
    const sandbox = createShop();
    const url = await serve(sandbox, ["--library", sandbox.path("lib")]);
    const { page } = await open(`${url}/#/try`);
    await page.getByLabel("Describe a task, as an agent would").fill("button colour");
    await page.keyboard.press("Enter");
    const library = page.getByRole("region", { name: "get_skill" });
    await library.getByRole("link", { name: "ui/button" }).waitFor();
    await library.getByText("Make it blue.").waitFor();
    await page.goto(`${url}/#/try?task=merges+PDF&client=other`);
    await page
      .getByRole("region", { name: "find_skills" })
      .getByRole("link", { name: "pdf", exact: true })
      .waitFor();
    await page.getByRole("region", { name: "skills.search" }).getByText("1 match").waitFor();

    await page.getByText("3 / 3").waitFor();
    await page.getByRole("slider").focus();
    await page.keyboard.press("Home");
    await page.getByText(/find_skills is enabled|skills not listed/).waitFor();
    expect(page.url()).toMatch(/budget=\d+/);
  });

  test("turns a skill off and on, refreshes, and takes feedback", async () => {
    const url = await serve(createShop());
    const { page } = await open(`${url}/#/skills?open=release-notes`);
    await page.getByRole("button", { name: "Disable" }).click();
    await page.getByText("Disabled release-notes.").waitFor();
    await page.locator(".detail .badge", { hasText: "Disabled" }).waitFor();
    await page.getByRole("button", { name: "Enable" }).click();
    await page.locator(".detail .badge", { hasText: "Served" }).waitFor();
    await page.getByRole("tab", { name: "Usage" }).click();
    await page.getByLabel("Was this skill useful?").fill("Very.");
    await page.getByRole("button", { name: "Useful", exact: true }).click();
    await page.getByText("Thank you.").waitFor();
    await page.getByRole("link", { name: "Health" }).click();
    await page.getByRole("button", { name: "Refresh now" }).click();
    await page.getByText("Refreshed.").waitFor();
  });

  test("asks for a token where the server wants one, and shows only what it allows", async () => {
    const sandbox = createShop();
    const tokens = sandbox.write("tokens", "ann:reads-only-0123456789\nbob:may-all-0123456789abc:admin\n");
    const url = await serve(sandbox, ["--token-file", tokens]);
    expect((await fetch(`${url}/api/v1/skills`)).status).toBe(401);
    const { page } = await open(`${url}/#/skills?open=pdf`);
    const signIn = async (token: string): Promise<void> => {
      await page.getByLabel("Token").fill(token);
      await page.getByRole("button", { name: "Sign in" }).click();
    };
    await signIn("not-a-token-0123456789");
    await page.getByText("The server rejected this token.").waitFor();
    await signIn("reads-only-0123456789");
    await page.getByRole("cell", { name: "qpdf" }).waitFor();
    await page.getByText("Live").waitFor();
    expect(await page.getByRole("button", { name: "Disable" }).count()).toBe(0);
    sandbox.skill("project/.claude/skills/xlsx");
    await page.getByRole("option", { name: /xlsx/ }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await signIn("may-all-0123456789abc");
    await page.getByRole("button", { name: "Disable" }).waitFor();
    expect(await page.evaluate("localStorage.length")).toBe(0);
  });

  test("is worked with the keyboard alone", async () => {
    const url = await serve(createShop());
    const { page } = await open(url);
    await page.getByRole("option", { name: /release-notes/ }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("e");
    await page.getByText(/ranked by find_skills/).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await page.keyboard.press("Backspace");
    await expect.poll(() => rowsOf(page)).toHaveLength(5);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "pdf", exact: true }).waitFor();
    await expect.poll(() => page.evaluate("document.activeElement.className")).toBe("detail");
    while ((await page.evaluate("document.activeElement.getAttribute('role')")) !== "tab")
      await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    await page.getByText("Loading: pdf").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("article").count()).toBe(0);
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("skill-list");
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "bad" }).waitFor();
  });

  test("fits a phone", async () => {
    const sandbox = createShop();
    const url = await serve(sandbox, ["--library", sandbox.path("lib")]);
    const { page } = await open(url, PHONE);
    const overflow = () => page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    await page.getByRole("option", { name: /release-notes/ }).click();
    await page.getByRole("heading", { name: "release-notes", level: 2 }).waitFor();
    expect(await page.locator("#skill-list").isVisible()).toBe(false);
    expect(await overflow()).toBe(0);
    await page.getByRole("button", { name: "Close this skill" }).click();
    await page.locator("#skill-list").waitFor();
    for (const view of ["Try it", "Health", "Usage"]) {
      await page.getByRole("link", { name: view }).click();
      await page.getByRole("heading", { name: view, level: 1 }).waitFor();
      await page.locator(".panel, .empty").first().waitFor();
      expect([view, await overflow()]).toEqual([view, 0]);
    }
  });

  test("tells a newcomer what to do, and shows the first skill as soon as it is there", async () => {
    const sandbox = createSandbox();
    sandbox.write("lib/README.txt", "empty");
    const url = await serve(sandbox, ["--library", sandbox.path("lib")]);
    const { page } = await open(url);
    await page.getByRole("heading", { name: "No skills yet" }).waitFor();
    await page.getByText("npx -y skills-mcp new hello").waitFor();
    await page.getByText("Live").waitFor();
    sandbox.skill("project/.agents/skills/hello");
    await page.getByRole("option", { name: /hello/ }).waitFor();
  });

  test("draws only what is in view of ten thousand skills", async () => {
    const sandbox = createSandbox(FAST_FOLDER);
    for (let number = 10_000; number < 20_000; number++) sandbox.skill(`project/.claude/skills/s${number}`);
    const url = await serve(sandbox, ["--no-watch"]);
    const { page } = await open(url);
    await page.getByText("10,000 skills").waitFor();
    await page.locator("#skill-list").focus();
    await page.keyboard.press("End");
    await page.getByRole("option", { name: /s19999/ }).waitFor();
    expect(await page.getByRole("option").count()).toBeLessThan(80);
    await page.keyboard.press("Home");
    await page.getByRole("option", { name: /s10000/ }).waitFor();
  });

  test("has no problem that axe finds, in any view, light or dark", async () => {
    const sandbox = createShop();
    const url = await serve(sandbox, ["--library", sandbox.path("lib")]);
    const { client } = await connectHttp(url, "2026-07-28");
    await client.callTool({ name: "skill", arguments: { name: "pdf" } });
    await client.callTool({ name: "get_skill", arguments: { context: "translate" } });
    const broken = encodeURIComponent(sandbox.path("project/.claude/skills/bad/SKILL.md"));
    const { page } = await open(url, { bypassCSP: true });
    const views: readonly (readonly [string, string])[] = [
      ["#/skills", "#skill-list .row"],
      ["#/skills?open=pdf", ".markdown td"],
      ["#/skills?open=pdf&tab=files&path=notes/tips.md", ".files .code"],
      ["#/skills?open=pdf&tab=usage", ".detail .feedback"],
      ["#/skills?open=library:ui/button&tab=chain", ".chain [open] .markdown p"],
      [`#/skills?file=${broken}`, ".marked-line, .code"],
      ["#/skills?q=nothing-like-it", ".empty"],
      ["#/try?task=button+colour", ".answers .code"],
      ["#/health", ".panel table"],
      ["#/usage", ".chart, .empty"],
    ];
    for (const [hash, ready] of views) {
      await page.goto(`${url}/${hash}`);
      await page.locator(ready).first().waitFor();
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
        await page.evaluate(axe.source);
        // Only colours differ in the dark.
        const rules = colorScheme === "dark" ? `, runOnly: ["color-contrast"]` : "";
        const found = await page.evaluate<readonly string[]>(
          `axe.run(document, { resultTypes: ["violations"]${rules} }).then(({ violations }) => violations
            .filter(({ impact }) => impact !== "minor")
            .map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" | ")))`,
        );
        expect([hash, colorScheme, found]).toEqual([hash, colorScheme, []]);
      }
    }
  });
});
