import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { CHROMIUM } from "../../../test/support/browser.ts";
import { connectHttp } from "../../../test/support/connect-http.ts";
import { freePort } from "../../../test/support/free-port.ts";
import { runCommand } from "../../../test/support/in-process.ts";
import { createSandbox, skillText } from "../../../test/support/sandbox.ts";
import { serve, startServer } from "../../../test/support/serve.ts";
import {
  DESKTOP,
  expectAccessible,
  expectNoOverflow,
  figure,
  holdMessage,
  keyOf,
  type Opened,
  OURS,
  PATIENCE,
  PHONE,
  pressInTurn,
  shareBrowser,
  WITHOUT,
  waitForMessage,
} from "./open-page.ts";
import { createShop } from "./shop.ts";

const SOURCES_FILE =
  "performance.getEntriesByType('resource').find(({ name }) => name.includes('sources-view'))?.name";

/** Servers that differ: empty, with tokens, with sources, reviewed, large, gone. */
describe.skipIf(CHROMIUM === undefined)(`the dashboard of different servers in a browser${WITHOUT}`, () => {
  const { atEnd, open } = shareBrowser();
  let opened: Opened;
  let page: Page;

  // One page for all of them: each server has an address of its own, and with it a page that knows nothing of the others.
  beforeAll(async () => {
    const permissions = ["clipboard-read", "clipboard-write"];
    opened = await open("about:blank", { bypassCSP: true, permissions }, atEnd);
    page = opened.page;
  });

  async function show(address: string, { viewport } = DESKTOP): Promise<void> {
    await page.setViewportSize(viewport);
    await page.goto(address);
  }

  test("a newcomer is led from an empty machine to a connected agent and a first skill", async () => {
    const sandbox = createSandbox();
    sandbox.write("lib/README.txt", "empty");
    const url = await serve(sandbox, ["--library", sandbox.path("lib")]);
    await show(`${url}/#/overview`, PHONE);
    await page.getByRole("heading", { name: "Get started" }).waitFor();
    await page.getByRole("button", { name: "Copy the line for every agent" }).click();
    await expect
      .poll(() => page.evaluate<string>("navigator.clipboard.readText()"), PATIENCE)
      .toBe(`${OURS} connect --http ${url}/mcp`);
    await expectAccessible(page, "empty");
    await expectNoOverflow(page, "empty");
    // Every view says what to do where there is nothing.
    for (const [hash, text] of [
      ["#/skills", "No skills yet"],
      ["#/model", "No skills in the list"],
      ["#/try?task=anything", "No skill has anything to do with this task."],
      ["#/usage", "No usage yet"],
      ["#/health", "No findings"],
      ["#/sources", "Where the skills come from."],
    ] as const) {
      await page.goto(`${url}/${hash}`);
      await page.getByText(text).first().waitFor();
      await expectAccessible(page, `empty ${hash}`);
    }
    await page.goto(`${url}/#/skills`);
    await page.getByText(`${OURS} new hello`).waitFor();
    await page.goto(`${url}/#/overview`);

    const { client } = await connectHttp(url, "2025-11-25");
    await client.listTools();
    await page.getByRole("heading", { name: "Connect an agent (done)" }).waitFor();
    await figure(page, "agent connected").filter({ hasText: "1" }).waitFor();
    await runCommand(sandbox, ["new", "hello"]);
    await figure(page, "skills served").filter({ hasText: "1" }).waitFor();
    await page.getByRole("heading", { name: "Get started" }).waitFor({ state: "detached" });
    expect(opened.errors).toEqual([]);
  });

  test("examples are marked as examples, and the first skill of one's own is written from the page", async () => {
    const sandbox = createSandbox();
    const url = await serve(sandbox);
    await show(`${url}/#key=${keyOf(sandbox)}`);
    await figure(page, "skills served").filter({ hasText: "bundled examples" }).waitFor();
    await page.getByText("Only the bundled examples are served").waitFor();
    await page.goto(`${url}/#/skills?open=code-review`);
    await page.locator(".detail-header .badge", { hasText: "bundled example" }).waitFor();
    await page.goto(`${url}/#/overview`);
    await page.locator("main").getByRole("button", { name: "New skill" }).click();
    const dialog = page.getByRole("dialog", { name: "New skill" });
    await dialog.getByLabel("Name").fill("hello");
    await dialog.getByLabel("Description").fill("Greets people. Use when somebody says hello.");
    await dialog.getByText(`${OURS} new hello --description`).waitFor();
    await dialog.getByRole("button", { name: "Create the skill" }).click();
    await page.getByRole("heading", { name: "hello", level: 2 }).waitFor();
    await page.goto(`${url}/#/overview`);
    await figure(page, "skills served").filter({ hasText: "4 bundled examples" }).waitFor();
    await page.getByRole("heading", { name: "Get skills (done)" }).waitFor();
  });

  test("S4: a token is asked for where the server wants one; scripts without a sandbox are a warning", async () => {
    const sandbox = createShop();
    const tokens = sandbox.write("tokens", "ann:reads-only-0123456789\nbob:may-all-0123456789abc:admin\n");
    // A machine without bubblewrap.
    const env = { PATH: sandbox.path("bin") };
    const url = await serve(sandbox, ["--token-file", tokens, "--library", sandbox.path("lib")], env);
    expect((await fetch(`${url}/api/v1/skills`)).status).toBe(401);
    const logged: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") logged.push(message.text());
    });
    await show(`${url}/#/skills?open=pdf&tab=read`);
    // Nobody is asked anything that fails, and nothing looks as if it could be used.
    await page.getByLabel("Token").waitFor();
    expect(logged).toEqual([]);
    expect(await page.getByRole("navigation").count()).toBe(0);
    const signIn = async (token: string): Promise<void> => {
      await page.getByLabel("Token").fill(token);
      await page.getByRole("button", { name: "Sign in" }).click();
    };
    await signIn("not-a-token-0123456789");
    await page.getByText("The server rejected this token.").waitFor();
    await expectAccessible(page, "sign in");
    await signIn("reads-only-0123456789");
    await page.getByRole("cell", { name: "qpdf" }).waitFor();
    await page.getByText("Live").waitFor();
    expect(await page.getByRole("button", { name: "Disable" }).count()).toBe(0);
    sandbox.skill("project/.claude/skills/xlsx");
    await page.getByRole("option", { name: /xlsx/ }).waitFor();
    await page.getByRole("button", { name: "Account ann" }).click();
    await page.getByText("ann: may read").waitFor();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await signIn("may-all-0123456789abc");
    await page.getByRole("button", { name: "Disable" }).waitFor();
    expect(await page.evaluate("localStorage.length")).toBe(0);

    // Nobody fills in a form that such a server always refuses.
    await page.goto(`${url}/#/sources`);
    await page.getByText("On a server with tokens, its operator installs skills").waitFor();
    expect(await page.getByLabel("Source of skills").count()).toBe(0);
    await page.goto(`${url}/#/health`);
    await page.getByText("Scripts are refused, because there is no sandbox").first().waitFor();
    await page.getByText("apt install bubblewrap").first().waitFor();
    await page.getByText("Scripts without a sandbox").waitFor();
    await page.locator(".badge.warn", { hasText: "warning" }).first().waitFor();
  });

  test("only what is in view of ten thousand skills is drawn, while scrolling and filtering too", async () => {
    const sandbox = createSandbox();
    for (let number = 10_000; number < 20_000; number++) sandbox.skill(`project/.claude/skills/s${number}`);
    const url = await serve(sandbox, ["--no-watch"]);
    await show(`${url}/#/skills`);
    await page.getByText("10,000 skills").waitFor();
    await page.locator("#skill-list").focus();
    await page.keyboard.press("End");
    await page.getByRole("option", { name: /s19999/ }).waitFor();
    expect(await page.getByRole("option").count()).toBeLessThan(80);
    await page.keyboard.press("Home");
    await page.getByRole("option", { name: /s10000/ }).waitFor();
    await page.getByLabel("Search skills").fill("s12345");
    await page.getByRole("option", { name: /s12345/ }).waitFor();
  });

  test("an update is shown as a diff, made and taken back; another tab follows", async () => {
    const sandbox = createSandbox();
    const vendor = sandbox.path("vendor");
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.test", ...args], { cwd: vendor });
    sandbox.write("vendor/pdf/SKILL.md", skillText("pdf", "The first."));
    git("init", "-q", "-b", "main");
    git("add", ".");
    git("commit", "-qm", "one");
    const url = await serve(sandbox);
    await show(`${url}/#key=${keyOf(sandbox)}`);
    const other = await open(`${url}/#/skills`);
    await page.goto(`${url}/#/sources?part=add`);

    await page.getByLabel("Source of skills").fill(`file://${vendor}`);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Install pdf" }).click();
    await waitForMessage(page, "Installed pdf.");
    await other.page.getByRole("option", { name: /pdf/ }).waitFor();
    writeFileSync(sandbox.path("vendor/pdf/SKILL.md"), skillText("pdf", "The second."));
    git("commit", "-qam", "two");

    await page.getByRole("button", { name: "Check for updates" }).click();
    await page.getByText("update available").waitFor();
    await page.getByRole("button", { name: "Show the changes of pdf" }).click();
    await page.getByText("+description: The second.").waitFor();
    await page.getByText(`${OURS} update pdf`, { exact: true }).waitFor();
    await expectAccessible(page, "diff");
    await page.getByRole("button", { name: "Update pdf" }).click();
    await holdMessage(page, "Updated pdf.");
    await other.page.getByText("The second.").waitFor();
    await page.keyboard.press("z");
    await waitForMessage(page, "Took back the change of pdf.");
    await other.page.getByText("The first.").waitFor();
    expect([...opened.errors, ...other.errors]).toEqual([]);
  });

  test("what is known stays while the server is gone, and the page goes on when it is back", async () => {
    const sandbox = createShop();
    const port = await freePort();
    const { url, stop } = await startServer(sandbox, port);
    await show(url);
    await figure(page, "skills served").waitFor();
    await page.getByText("Live").waitFor();
    // The other views are loaded when the page is idle; importing one again waits for the files that it shares with others.
    await page.waitForFunction(`${SOURCES_FILE} !== undefined`);
    await page.evaluate(`import(${SOURCES_FILE})`);
    await stop();
    await page.getByText("Offline", { exact: true }).waitFor();
    await page.getByText("The server is not responding. You see what it sent last").waitFor();
    await figure(page, "skills served").waitFor();
    // Views that nobody opened before are there all the same.
    await pressInTurn(page, "g", "r");
    await page.getByRole("heading", { name: "Sources", level: 1 }).waitFor();
    await page.getByText("Where the skills come from.").waitFor();
    await page.getByText("This page tries again by itself").waitFor();
    await expectAccessible(page, "offline");
    const back = await startServer(sandbox, port);
    await page.locator(".panel table").waitFor();
    await page.getByText("Live").waitFor();

    // It comes back as another version, whose files have other names: the page loads itself anew.
    await page.evaluate("window.isOld = true");
    await back.stop();
    await page.getByText("Offline", { exact: true }).waitFor();
    const upgraded = '<script type="module" src="main-OTHER.js"></script>';
    onTestFinished(() => page.unrouteAll());
    await page.route(`${url}/`, (route) =>
      route.request().resourceType() === "fetch" ? route.fulfill({ body: upgraded }) : route.continue(),
    );
    await startServer(sandbox, port);
    await page.waitForFunction("window.isOld === undefined");
    await page.locator(".panel table").waitFor();
    expect(page.url()).toContain("#/sources");
    expect(opened.errors).toEqual([]);
  });
});
