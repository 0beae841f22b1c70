import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { CHROMIUM } from "../../../test/support/browser.ts";
import { connectHttp } from "../../../test/support/connect-http.ts";
import { createSandbox, type Sandbox, skillText } from "../../../test/support/sandbox.ts";
import { serve } from "../../../test/support/serve.ts";
import {
  expectAccessible,
  holdMessage,
  keyOf,
  type Opened,
  OURS,
  PATIENCE,
  shareBrowser,
  WITHOUT,
  waitForMessage,
} from "./open-page.ts";

const OWN = "project/.agents/skills";

/** Each of these takes back what it did, so that one server and one page are enough. */
describe.skipIf(CHROMIUM === undefined)(`changing skills in a browser${WITHOUT}`, () => {
  const { atEnd, open } = shareBrowser();
  let sandbox: Sandbox;
  let url: string;
  let opened: Opened;
  let page: Page;

  beforeAll(async () => {
    sandbox = createSandbox(undefined, atEnd);
    sandbox.skill(`${OWN}/pdf-forms`, { description: "Fills in PDF forms. Use for forms and signatures." });
    sandbox.skill(`${OWN}/pdf-merge`, {
      description: "Merges PDF files. Use when several PDF files become one.",
    });
    sandbox.skill(`${OWN}/release-notes`, { description: "Writes release notes. Use before a release." });
    sandbox.skill("project/.claude/skills/review", { description: "Reviews a pull request." });
    sandbox.write("home/.skills-mcp/config.yaml", "profiles:\n  ops: {include: ['pdf-*']}\n");
    url = await serve(sandbox, [], {}, atEnd);
    opened = await open(`${url}/#key=${keyOf(sandbox)}`, { bypassCSP: true }, atEnd);
    page = opened.page;
    await page.getByText("Live").waitFor();
  });

  async function goTo(hash: string): Promise<void> {
    await page.goto(`${url}/${hash}`);
  }

  test("many are disabled with the keyboard in one tab, seen in another, and taken back", async () => {
    const { page: other } = await open(`${url}/#/skills`);
    await goTo("#/skills");
    await page.getByRole("option", { name: /pdf-forms/ }).waitFor();
    await other.getByText("Live").waitFor();
    await page.locator("#skill-list").focus();
    await page.keyboard.press("Home");
    for (const key of ["Space", "ArrowDown", "Space"]) await page.keyboard.press(key);
    await page.getByText("2 skills selected").waitFor();
    // To rename files takes skills from agents that read them from disk, so it is said, and nobody does it by accident.
    const disable = page.getByRole("button", { name: "Disable", exact: true });
    await page.getByText("Choose for whom to disable them.").waitFor();
    expect(await disable.isDisabled()).toBe(true);
    await page.getByRole("combobox", { name: "For whom" }).selectOption("for everyone");
    await page.getByText("agents that read the folder themselves no longer see the skill either").waitFor();
    await page.getByText(`${OURS} disable pdf-forms pdf-merge`, { exact: true }).waitFor();
    await expectAccessible(page, "selected skills");
    await disable.focus();
    await page.keyboard.press("Enter");
    await holdMessage(page, "Disabled 2 skills.");
    const disabled = other.locator("#skill-list .badge", { hasText: "Disabled" });
    await expect.poll(() => disabled.count(), PATIENCE).toBe(2);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => disabled.count(), PATIENCE).toBe(0);
    expect(existsSync(sandbox.path(`${OWN}/pdf-forms/SKILL.md`))).toBe(true);
  });

  test("many are disabled for one agent or in one profile, with the command that does the same", async () => {
    await goTo("#/skills");
    await page.getByRole("option", { name: /pdf-forms/ }).waitFor();
    await page.locator("#skill-list").focus();
    for (const key of ["Home", "Space"]) await page.keyboard.press(key);
    const whom = page.getByRole("combobox", { name: "For whom" });
    await whom.selectOption("for Codex");
    await page.getByText(`${OURS} disable pdf-forms --agent codex`, { exact: true }).waitFor();
    await whom.selectOption("in the profile ops");
    const command = page.locator(".bulk").getByText(`${OURS} disable pdf-forms --profile ops`);
    await command.waitFor();
    await page.getByRole("button", { name: "Disable", exact: true }).click();
    await holdMessage(page, "Disabled pdf-forms in the profile ops.");
    await page.getByRole("status").getByText("skills-mcp disable pdf-forms --profile ops").waitFor();
    // Profiles are for administrators.
    const headers = { "x-skills-mcp-key": keyOf(sandbox) };
    const left = async (): Promise<number> => {
      const answer = await fetch(`${url}/api/v1/model?profile=ops&client=other`, { headers });
      return ((await answer.json()) as { skills: number }).skills;
    };
    expect(await left()).toBe(1);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(left, PATIENCE).toBe(2);
  });

  test("one is disabled for one agent, with its origin and what is similar", async () => {
    await goTo("#/skills?open=pdf-forms&tab=origin");
    await page.getByText("Written here, in").waitFor();
    await page.getByRole("button", { name: "Disable …" }).click();
    await page.getByRole("menuitem", { name: "For Codex" }).click();
    await waitForMessage(page, "Disabled pdf-forms for Codex.");
    await page.getByText(`${OURS} enable pdf-forms --agent codex`).waitFor();
    await page.getByRole("button", { name: "Enable for Codex" }).click();
    await waitForMessage(page, "Enabled pdf-forms for Codex.");
    await page.getByRole("tab", { name: "Similar" }).click();
    await page.getByText(/A search for this description finds/).waitFor();
    await expectAccessible(page, "similar");
  });

  test("one is turned off and on, everything is refreshed, and feedback is taken", async () => {
    await goTo("#/skills");
    await page.getByRole("option", { name: /release-notes/ }).click();
    expect(page.url()).not.toContain("key");
    await page.getByRole("button", { name: "Disable …" }).click();
    await page.getByRole("menuitem", { name: "For everyone" }).click();
    await waitForMessage(page, "Disabled release-notes.");
    await page.locator(".detail .badge", { hasText: "Disabled" }).waitFor();
    // Who sees it has such buttons too, one for each agent.
    await page.locator(".detail-header").getByRole("button", { name: "Enable", exact: true }).click();
    await page.locator(".detail .badge", { hasText: "Served" }).waitFor();
    await page.getByRole("tab", { name: "Usage" }).click();
    await page.getByLabel("Was this skill useful?").fill("Very.");
    await page.getByRole("button", { name: "Useful", exact: true }).click();
    await page.getByText("Thank you.").waitFor();
    await page.getByRole("link", { name: /^Health/ }).click();
    await page.getByRole("button", { name: "Refresh now" }).click();
    await waitForMessage(page, "Refreshed.");
  });

  test("the disk is followed without a reload, and a skill that was repaired is no finding any more", async () => {
    await goTo("#/skills?open=pdf-merge&tab=read");
    await page.getByRole("heading", { name: "pdf-merge", level: 2 }).waitFor();
    appendFileSync(sandbox.path(`${OWN}/pdf-merge/SKILL.md`), "\nNever overwrite it.\n");
    await page.getByText("Never overwrite it.").waitFor();
    const file = sandbox.write("project/.claude/skills/xlsx/SKILL.md", "Only text.\n");
    await page.getByRole("option", { name: /xlsx/ }).waitFor();
    await goTo("#/health");
    await page.getByText("No front matter", { exact: true }).waitFor();
    // The page says what to write, and notices when it is written.
    await page.getByRole("link", { name: "xlsx/SKILL.md" }).click();
    await page.getByRole("region", { name: "What to write" }).getByText("Before line 1").waitFor();
    await expectAccessible(page, "what to write");
    writeFileSync(file, skillText("xlsx", "Is repaired. Use it for sheets."));
    await page.locator(".detail .badge", { hasText: "Served" }).waitFor();
    await page.getByRole("region", { name: "What to write" }).waitFor({ state: "detached" });
    await goTo("#/health");
    await page.getByText("No front matter", { exact: true }).waitFor({ state: "detached" });
    rmSync(sandbox.path("project/.claude/skills/xlsx"), { recursive: true });
    await goTo("#/skills");
    await page.getByRole("option", { name: /pdf-merge/ }).waitFor();
    await page.getByRole("option", { name: /xlsx/ }).waitFor({ state: "detached" });
  });

  test("what can be corrected without guessing is corrected here, and taken back", async () => {
    const text = "---\nName: csv\ndescription: Use it for: CSV files\n---\n\nText.\n";
    const file = sandbox.write("project/.claude/skills/csv/SKILL.md", text);
    await goTo(`#/skills?file=${encodeURIComponent(file)}`);
    const correction = page.getByRole("region", { name: "Correction" });
    await correction.getByText("+name: csv").waitFor();
    await correction.getByText(`${OURS} validate --fix ${file}`).waitFor();
    await expectAccessible(page, "a correction");
    await correction.getByRole("button", { name: "Correct the file" }).click();
    await holdMessage(page, "Corrected csv.");
    await page.locator(".detail .badge", { hasText: "Served" }).waitFor();
    expect(readFileSync(file, "utf8")).toContain('description: "Use it for: CSV files"');
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator(".detail .badge", { hasText: "Broken" }).waitFor();
    expect(readFileSync(file, "utf8")).toBe(text);
    // What somebody wrote since is not lost.
    await correction.getByRole("button", { name: "Correct the file" }).click();
    await holdMessage(page, "Corrected csv.");
    appendFileSync(file, "More.\n");
    await page.keyboard.press("z");
    await waitForMessage(page, "was not changed: somebody else has changed it in the meantime");
    expect(readFileSync(file, "utf8")).toContain("More.");
    rmSync(sandbox.path("project/.claude/skills/csv"), { recursive: true });
  });

  test("what is missing is inserted with the second click, and a text is edited with what is wrong in it", async () => {
    const before = "# Sheets\r\n\r\nMakes sheets. Use it: often.\r\n";
    const file = sandbox.write("project/.claude/skills/sheets/SKILL.md", before);
    await goTo("#/skills");
    await page.getByRole("option", { name: /sheets/ }).click();
    await page.getByRole("button", { name: "Insert this" }).click();
    await holdMessage(page, "Completed sheets.");
    await page.locator(".detail .badge", { hasText: "Served" }).waitFor();
    const inserted = `---\r\nname: sheets\r\ndescription: "Makes sheets. Use it: often."\r\n---\r\n${before}`;
    expect(readFileSync(file, "utf8")).toBe(inserted);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.locator(".detail .badge", { hasText: "Broken" }).waitFor();
    expect(readFileSync(file, "utf8")).toBe(before);

    // By keyboard: the text, what is wrong with it at every moment, and Ctrl+S.
    await page.getByRole("region", { name: "What to write" }).getByRole("button", { name: "Edit" }).focus();
    await page.keyboard.press("Enter");
    const text = page.getByRole("textbox", { name: "Text of sheets" });
    const findings = page.locator("#editor-findings");
    await findings.getByText("No front matter").waitFor();
    await text.fill("---\nname: sheets\n---\nText.\n");
    await findings
      .getByText(/description/)
      .first()
      .waitFor();
    await expectAccessible(page, "the editor");
    await text.fill("---\nname: tables\ndescription: Makes tables. Use for sheets.\n---\nText.\n");
    await findings.getByText("1 error.").waitFor();
    await findings.getByText(/folder/).waitFor();
    await page.keyboard.press("Control+s");
    await holdMessage(page, "Saved sheets.");
    await page.getByRole("heading", { name: "tables", level: 2 }).waitFor();
    expect(readFileSync(file, "utf8")).toContain("name: tables\r\n");
    // Nobody loses what somebody else wrote in the meantime.
    await page.getByRole("tab", { name: "Source" }).click();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await page.getByRole("textbox", { name: "Text of tables" }).fill("Mine.\n");
    appendFileSync(file, "Theirs.\n");
    await page.getByRole("button", { name: "Save" }).click();
    await waitForMessage(page, "somebody else has changed it in the meantime");
    expect(readFileSync(file, "utf8")).toContain("Theirs.");
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("button", { name: "Open in an editor" }).waitFor();
    rmSync(sandbox.path("project/.claude/skills/sheets"), { recursive: true });
  });

  test("a new skill is one click away on every view, and opens in the editor", async () => {
    for (const hash of ["#/overview", "#/usage"]) {
      await goTo(hash);
      await page.locator(".top").getByRole("button", { name: "New skill" }).click();
      await page.getByRole("dialog", { name: "New skill" }).waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search skills, views and actions" }).fill("new skill");
    await page.getByRole("option", { name: /New skill/ }).waitFor();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "New skill" });
    await dialog.getByLabel("Name").fill("fresh");
    await dialog.getByRole("button", { name: "Create the skill" }).click();
    await page.getByRole("textbox", { name: "Text of fresh" }).waitFor();
    await holdMessage(page, "Created fresh.");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => existsSync(sandbox.path(`${OWN}/fresh`)), PATIENCE).toBe(false);
  });

  test("a task is saved as a prompt and taken back, and two profiles are compared", async () => {
    await goTo("#/try");
    await page.locator("#task").waitFor();
    await page.keyboard.press("/");
    // The key moves the focus to the field; what is typed before that is lost.
    await expect
      .poll(() => page.evaluate("document.activeElement.tagName"), PATIENCE)
      .toMatch(/INPUT|TEXTAREA/);
    await page.keyboard.type("sign a form");
    await page.keyboard.press("Enter");
    const found = page.getByRole("region", { name: "find_skills" });
    await found.getByRole("link", { name: "pdf-forms" }).waitFor();
    await found
      .getByText(/meaning \d+%/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Save as an eval prompt" }).click();
    await holdMessage(page, "Saved the task to the evals of pdf-forms.");
    const file = sandbox.path(`${OWN}/pdf-forms/evals/prompts.json`);
    expect(readFileSync(file, "utf8")).toContain("sign a form");
    await page.keyboard.press("z");
    await expect.poll(() => existsSync(file), PATIENCE).toBe(false);
    await goTo("#/try?task=review+a+pull+request");
    await page.getByRole("button", { name: "Compare with another" }).click();
    await page.getByRole("group", { name: "Compared with" }).getByLabel("Profile").selectOption("ops");
    await expect.poll(() => found.count(), PATIENCE).toBe(2);
    await found.nth(0).getByRole("link", { name: "review" }).waitFor();
    await expect.poll(() => found.nth(1).getByRole("link", { name: "review" }).count(), PATIENCE).toBe(0);
    expect(page.url()).toContain("profile2=ops");
  });

  test("what nobody found is grouped, and the skill that is missing is written and taken back", async () => {
    const { client } = await connectHttp(url, "2026-07-28", { path: "/mcp/ops", clientName: "codex" });
    for (const task of ["resize a photo", "shrink these images", "book a meeting room"])
      await client.callTool({ name: "find_skills", arguments: { task } });
    await client.callTool({ name: "skill", arguments: { name: "pdf-forms" } });
    await expect
      .poll(async () => (await fetch(`${url}/api/v1/usage`)).text(), PATIENCE)
      .toMatch(/book a meeting room.*"served":1|"served":1.*book a meeting room/s);
    await goTo("#/overview");
    await page.locator(".agents li", { hasText: "Codex" }).getByText("ops").waitFor();
    await page.locator(".turn-one").getByText("profile ops").waitFor();
    await goTo("#/usage");
    const missing = page.getByRole("region", { name: "Unmatched searches" });
    await missing.getByText("resize a photo").waitFor();
    await expect.poll(() => missing.getByRole("listitem").count(), PATIENCE).toBe(2);
    const chart = page.getByRole("slider", { name: /loads from/ });
    await chart.focus();
    await page.keyboard.press("End");
    await expect.poll(() => chart.getAttribute("aria-valuetext"), PATIENCE).toMatch(/Loads 1$/);
    await missing.getByRole("listitem").filter({ hasText: "photo" }).getByRole("button").click();
    const dialog = page.getByRole("dialog", { name: "New skill" });
    await dialog.getByText(`${OURS} new `).waitFor();
    await expectAccessible(page, "a new skill");
    await dialog.getByLabel("Name").fill("resize-images");
    await dialog.getByRole("button", { name: "Create the skill" }).click();
    await holdMessage(page, "Created resize-images.");
    await page.getByRole("heading", { name: "resize-images", level: 2 }).waitFor();
    const folder = sandbox.path(`${OWN}/resize-images`);
    expect(readFileSync(`${folder}/evals/prompts.json`, "utf8")).toContain("shrink these images");
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => existsSync(folder), PATIENCE).toBe(false);
    expect(opened.errors).toEqual([]);
  });

  test("a page without the key is read-only, says how to get it, and takes it pasted or in the address", async () => {
    const { page: reader, errors } = await open(`${url}/#/skills?open=release-notes`);
    const disable = reader.getByRole("button", { name: "Disable …" });
    const locked = reader.getByRole("button", { name: "Read-only" });
    await locked.click();
    const dialog = reader.getByRole("dialog", { name: "This page is read-only" });
    await dialog.getByText("skills-mcp serve").waitFor();
    expect(await disable.count()).toBe(0);
    for (const [text, problem] of [
      ["no key", /isn't a dashboard address/],
      [`${url}/#key=${"0".repeat(32)}`, /does not accept this key/],
    ] as const) {
      await dialog.getByLabel("Address or key").fill(text);
      await dialog.getByRole("button", { name: "Allow changes" }).click();
      await dialog.getByRole("alert").filter({ hasText: problem }).waitFor();
    }
    await dialog.getByLabel("Address or key").fill(`${url}/#key=${keyOf(sandbox)}`);
    await reader.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    await disable.waitFor();
    expect(await locked.count()).toBe(0);
    // For this tab only, and not in its address.
    expect(await reader.evaluate("localStorage.length")).toBe(0);
    expect(reader.url()).toBe(`${url}/#/skills?open=release-notes`);
    await reader.evaluate("sessionStorage.clear()");
    await reader.goto(`${url}/`);
    await reader.reload();
    await locked.waitFor();
    await reader.goto(`${url}/#key=${keyOf(sandbox)}`);
    await locked.waitFor({ state: "detached" });
    expect(reader.url()).toBe(`${url}/`);
    expect(errors).toEqual([]);
  });
});
