import { describe, expect, test } from "vitest";
import { CHROMIUM } from "../../../test/support/browser.ts";
import { connectHttp } from "../../../test/support/connect-http.ts";
import { createSandbox } from "../../../test/support/sandbox.ts";
import { serve } from "../../../test/support/serve.ts";
import {
  expectAccessible,
  expectNoOverflow,
  expectNoShift,
  PHONE,
  pressInTurn,
  shareBrowser,
  WITHOUT,
} from "./open-page.ts";

const ANN = "ann-reads-only-0123456789abcdef";
const BOB = "bob-may-do-all-0123456789abcdef";

describe.skipIf(CHROMIUM === undefined)(`the activity in a browser${WITHOUT}`, () => {
  const { open } = shareBrowser();

  test("calls appear while agents make them: one's own, or everyone's for administrators; never what was asked", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf", { description: "Reads PDF files." });
    const tokens = sandbox.write("tokens", `ann:${ANN}:read\nbob:${BOB}:admin\n`);
    const url = await serve(sandbox, ["--token-file", tokens]);
    const { page, errors } = await open(`${url}/#/activity`, { bypassCSP: true });
    const signIn = async (token: string): Promise<void> => {
      await page.getByLabel("Token").fill(token);
      await page.keyboard.press("Enter");
    };
    await signIn(ANN);
    await page.getByText("No calls yet").waitFor();
    await expectAccessible(page, "no activity");

    const { client: hers } = await connectHttp(url, "2025-11-25", { token: ANN, clientName: "claude-code" });
    const { client: his } = await connectHttp(url, "2025-11-25", { token: BOB, clientName: "cursor-vscode" });
    await hers.callTool({ name: "skill", arguments: { name: "pdf" } });
    await hers.callTool({ name: "skill", arguments: { name: "my secret wish" } });
    await his.callTool({ name: "skill", arguments: { name: "pdf" } });
    const rows = page.locator(".calls tbody tr");
    await rows.filter({ hasText: "refused" }).filter({ hasText: "Claude Code" }).waitFor();
    await rows.filter({ hasText: "ok" }).getByRole("link", { name: "pdf" }).waitFor();
    expect(await rows.filter({ hasText: "Cursor" }).count()).toBe(0);
    expect(await page.locator("main").textContent()).not.toContain("secret");
    await expectAccessible(page, "activity");
    await expectNoShift(page, "activity");

    await page.getByRole("button", { name: "Account ann" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await signIn(BOB);
    await page.getByRole("button", { name: "Account bob" }).waitFor();
    await rows.filter({ hasText: "Cursor" }).filter({ hasText: "bob" }).first().waitFor();
    await rows.filter({ hasText: "Claude Code" }).first().waitFor();
    // By keyboard, and the filter is in the address.
    await pressInTurn(page, "g", "o");
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await pressInTurn(page, "g", "a");
    await page.getByLabel("Filter calls").fill("claude");
    await rows.filter({ hasText: "Cursor" }).first().waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Failed" }).click();
    await rows.filter({ hasText: "ok" }).first().waitFor({ state: "detached" });
    expect(await rows.count()).toBe(1);
    expect(page.url()).toMatch(/q=claude&kind=failed/);
    await page.setViewportSize(PHONE.viewport);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.locator("html[data-theme=dark]").waitFor();
    await expectNoOverflow(page, "activity on a phone");
    await expectAccessible(page, "activity in dark");
    expect(errors).toEqual([]);
  });

  test("an address that means nothing says what it may have meant", async () => {
    const sandbox = createSandbox();
    const url = await serve(sandbox);
    const { page } = await open(`${url}/#/helth`, { bypassCSP: true });
    await page.getByRole("heading", { name: "No such page" }).waitFor();
    await expectAccessible(page, "no such page");
    await page.getByText("Did you mean").getByRole("link", { name: "Health" }).click();
    await page.getByRole("heading", { name: "Health", level: 1 }).waitFor();
  });
});
