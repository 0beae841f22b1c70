import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CHROMIUM } from "../../../test/support/browser.ts";
import { connectHttp } from "../../../test/support/connect-http.ts";
import { createSandbox } from "../../../test/support/sandbox.ts";
import { serve } from "../../../test/support/serve.ts";
import {
  expectAccessible,
  expectNoOverflow,
  keyOf,
  PATIENCE,
  PHONE,
  shareBrowser,
  WITHOUT,
} from "./open-page.ts";

const BEFORE = '{\n\t"mcpServers": { "other": { "command": "x" } } // mine\n}\n';

describe.skipIf(CHROMIUM === undefined)(`connecting agents in a browser${WITHOUT}`, () => {
  const { open } = shareBrowser();

  test("an agent of this machine is connected with two clicks, seen when it connects, and disconnected", async () => {
    const sandbox = createSandbox();
    sandbox.skill("project/.claude/skills/pdf");
    const cursor = sandbox.write("home/.cursor/mcp.json", BEFORE);
    const codex = sandbox.path("home/.codex/config.toml");
    sandbox.write("home/.codex/skills/.keep", "");
    const url = await serve(sandbox);
    const { page, errors } = await open(`${url}/#key=${keyOf(sandbox)}`, { bypassCSP: true });

    await page.getByRole("button", { name: "Connect", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Connect an agent" });
    const row = (title: string) => dialog.locator(".connect-agents li", { hasText: title });
    await row("Cursor").getByText("~/.cursor/mcp.json").waitFor();
    await row("Cursor")
      .locator(".added", { hasText: `${url}/mcp` })
      .waitFor();
    await expectAccessible(page, "the agents of this machine");
    expect(readFileSync(cursor, "utf8")).toBe(BEFORE);
    await row("Cursor").getByRole("button", { name: "Connect Cursor" }).click();
    await row("Cursor").getByText("waiting for it to connect").waitFor();
    expect(readFileSync(cursor, "utf8")).toContain(`${url}/mcp`);
    await connectHttp(url, "2025-11-25", { clientName: "cursor-vscode" });
    await row("Cursor").locator(".badge.good", { hasText: "connected" }).waitFor();
    await expectAccessible(page, "a connected agent");
    await row("Cursor").getByRole("button", { name: "Undo" }).click();
    await row("Cursor").getByText("Disconnected.").waitFor();
    expect(readFileSync(cursor, "utf8")).toBe(BEFORE);

    // By keyboard, on a phone, in dark.
    await page.setViewportSize(PHONE.viewport);
    await page.emulateMedia({ colorScheme: "dark" });
    await row("Codex").getByRole("button", { name: "Connect Codex" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => existsSync(codex), PATIENCE).toBe(true);
    await row("Codex").getByText("waiting for it to connect").waitFor();
    await expectNoOverflow(page, "connect on a phone");
    await expectAccessible(page, "connect in dark");
    await dialog.getByLabel("By hand:").selectOption("Every agent of a machine");
    await dialog.getByText(`connect --http ${url}/mcp`).waitFor();
    const link = await dialog.getByRole("link", { name: "Add to Cursor" }).getAttribute("href");
    const config = new URL(link ?? "").searchParams.get("config") ?? "";
    expect(JSON.parse(atob(config))).toMatchObject({ url: `${url}/mcp` });
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(errors).toEqual([]);
  });
});
