import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectAccessible, PATIENCE, pressInTurn, rowsOf, visit } from "./open-page.ts";

/** Every view of the shop, the palette, a skill and its tabs, without a mouse. */
export async function reachEverythingByKeyboard(page: Page, url: string): Promise<void> {
  await visit(page, `${url}/#/overview`, ".figure");
  for (const [key, title] of [
    ["b", "Seen by"],
    ["m", "What the model sees"],
    ["t", "Try it"],
    ["r", "Sources"],
    ["u", "Usage"],
    ["h", "Health"],
    ["o", "Overview"],
    ["s", "Skills"],
  ] as const) {
    await pressInTurn(page, "g", key);
    await page.getByRole("heading", { name: title, level: 1 }).waitFor();
  }
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.getByText("Select a skill; with Shift, all from the last one").waitFor();
  await expectAccessible(page, "keys");
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("dialog").count(), PATIENCE).toBe(0);

  const palette = page.getByRole("combobox", { name: "Search skills, views and actions" });
  // One dialog right after the other: the browser reports the first as closed when the second is open.
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.evaluate(
    "document.querySelector('dialog[open]').close(); dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }))",
  );
  await palette.waitFor();
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "detached" });

  for (const [typed, option] of [
    ["dark", "Use the dark theme"],
    ["light", "Use the light theme"],
    ["release-n", "release-notes"],
  ] as const) {
    await page.keyboard.press("Control+k");
    await palette.waitFor();
    await page.keyboard.type(typed);
    await page
      .getByRole("dialog")
      .getByRole("option", { name: new RegExp(option) })
      .waitFor();
    if (typed === "dark") await expectAccessible(page, "palette");
    await page.keyboard.press("Enter");
    await palette.waitFor({ state: "detached" });
    if (typed !== "release-n") await page.locator(`html[data-theme=${typed}]`).waitFor();
  }
  await page.getByRole("heading", { name: "release-notes", level: 2 }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("/");
  await page.keyboard.type("e");
  await page.getByText(/ranked by find_skills/).waitFor();
  await page.keyboard.press("Backspace");
  await expect.poll(() => rowsOf(page), PATIENCE).toHaveLength(10);
  for (const key of ["ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
  await page.getByRole("heading", { name: "pdf", exact: true }).waitFor();
  await expect.poll(() => page.evaluate("document.activeElement.className"), PATIENCE).toBe("detail");
  while ((await page.evaluate("document.activeElement.getAttribute('role')")) !== "tab")
    await page.keyboard.press("Tab");
  for (const key of ["ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  await page.getByText("Loading: pdf").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.getByRole("article").count(), PATIENCE).toBe(0);
  await expect.poll(() => page.evaluate("document.activeElement.id"), PATIENCE).toBe("skill-list");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "b".repeat(120) }).waitFor();
}
