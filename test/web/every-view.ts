import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectAccessible, expectNoOverflow, visit } from "./open-page.ts";
import { LONG_NAME, LONG_WORD } from "./shop.ts";

const LIGHT = { colorScheme: "light", contrast: "no-preference" } as const;
const DARK = { colorScheme: "dark", contrast: "no-preference" } as const;
const DARKEST = { colorScheme: "dark", contrast: "more" } as const;
const BRIGHTEST = { colorScheme: "light", contrast: "more" } as const;
/** Views that together have every part whose colours the contrast changes. */
const HIGH_CONTRAST: ReadonlySet<string> = new Set([
  "#/overview",
  "#/sources",
  "#/health",
  "#/skills?open=pdf",
]);

/** Every view of the shop and the states of it that look different, each with what is there when it is complete. */
function states(brokenFile: string): readonly (readonly [string, string])[] {
  return [
    ["#/skills", "#skill-list .row"],
    ["#/skills?open=pdf", ".markdown td"],
    ["#/skills?open=pdf&tab=files&path=notes/tips.md", ".files .code"],
    ["#/skills?open=pdf&tab=usage", ".detail .feedback, .detail .chart"],
    ["#/skills?open=pdf&tab=origin", ".detail .panel, .detail dl"],
    ["#/skills?open=library:ui/button&tab=chain", ".chain [open] .markdown p"],
    [`#/skills?file=${encodeURIComponent(brokenFile)}`, ".marked-line, .code"],
    [`#/skills?open=${LONG_NAME}`, ".markdown p"],
    ["#/skills?q=nothing-like-it", ".empty"],
    ["#/try?task=button+colour", ".answers .code"],
    ["#/try?task=button+colour&compare=1", ".compare > :nth-child(2) .panel"],
    [`#/try?task=${LONG_WORD}`, ".panel"],
    ["#/overview", ".chart canvas, .chart-empty"],
    ["#/model", ".figure"],
    ["#/sources", ".panel table"],
    ["#/health", ".problem-group"],
    ["#/usage", ".chart canvas, .empty"],
  ];
}

/** No violation anywhere, light or dark, with more contrast or without. */
export async function expectAccessibleEverywhere(page: Page, url: string, brokenFile: string): Promise<void> {
  for (const [hash, ready] of states(brokenFile)) {
    await visit(page, `${url}/${hash}`, ready);
    await expectAccessible(page, hash);
    // Only colours differ from here on.
    for (const media of [DARK, ...(HIGH_CONTRAST.has(hash) ? [DARKEST, BRIGHTEST] : []), LIGHT]) {
      await page.emulateMedia(media);
      const contrast = media.contrast === "more" ? "more" : "normal";
      await page.locator(`html[data-theme=${media.colorScheme}][data-contrast=${contrast}]`).waitFor();
      if (media !== LIGHT)
        await expectAccessible(page, `${hash} ${JSON.stringify(media)}`, ["color-contrast"]);
    }
  }
}

/** Nothing reaches beyond the window, and every view is a tap or two away. */
export async function expectFitsEverywhere(phone: Page, url: string, brokenFile: string): Promise<void> {
  await phone.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Overview" }).waitFor();
  for (const view of ["Skills", "Try it", "Health", "Usage", "Sources", "What the model sees", "Overview"]) {
    // With the number of findings.
    const link = phone.getByRole("link", { name: new RegExp(`^${view}`) });
    if ((await link.count()) === 0) await phone.getByRole("button", { name: "More" }).click();
    await link.click();
    await phone.getByRole("heading", { name: view, level: 1 }).waitFor();
  }
  for (const [hash, ready] of states(brokenFile)) {
    await visit(phone, `${url}/${hash}`, ready);
    await expectNoOverflow(phone, hash);
  }
  await visit(phone, `${url}/#/skills`, "#skill-list .row");
  await expectAccessible(phone, "the list on a phone");
  await phone.getByRole("option", { name: /release-notes/ }).click();
  await phone.getByRole("heading", { name: "release-notes", level: 2 }).waitFor();
  expect(await phone.locator("#skill-list").isVisible()).toBe(false);
  await expectAccessible(phone, "a skill on a phone");
  await phone.getByRole("button", { name: "Close this skill" }).click();
  await phone.locator("#skill-list").waitFor();
}
