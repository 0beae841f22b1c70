import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectAccessible, expectNoOverflow, visit } from "./open-page.ts";
import { LONG_NAME, LONG_WORD } from "./shop.ts";

interface Media {
  readonly colorScheme: "light" | "dark";
  readonly contrast: "more" | "no-preference";
}

const LIGHT: Media = { colorScheme: "light", contrast: "no-preference" };
const DARK: Media = { colorScheme: "dark", contrast: "no-preference" };
const DARKEST: Media = { colorScheme: "dark", contrast: "more" };
const BRIGHTEST: Media = { colorScheme: "light", contrast: "more" };
/** Views that together have every part whose colours the contrast changes. */
const HIGH_CONTRAST: ReadonlySet<string> = new Set([
  "#/overview",
  "#/sources",
  "#/health",
  "#/skills?open=pdf",
]);

/**
 * Every view of the shop and the states of it that look different, each with what is there when it is complete, and with the
 * part that differs where the rest is what another state has.
 */
function states(brokenFile: string): readonly (readonly [hash: string, ready: string, part?: string])[] {
  return [
    ["#/skills", "#skill-list .row"],
    ["#/skills?open=pdf", ".seen-agent"],
    ["#/skills?open=pdf&tab=read", ".markdown td", ".detail"],
    ["#/skills?open=pdf&tab=files&path=notes/tips.md", ".files .code", ".detail"],
    ["#/skills?open=pdf&tab=usage", ".detail .feedback, .detail .chart", ".detail"],
    ["#/skills?open=pdf&tab=origin", ".detail .panel, .detail dl", ".detail"],
    ["#/skills?open=library:ui/button&tab=chain", ".chain [open] .markdown p", ".detail"],
    [`#/skills?file=${encodeURIComponent(brokenFile)}&tab=source`, ".marked-line, .code", ".detail"],
    [`#/skills?open=${LONG_NAME}&tab=read`, ".markdown p"],
    ["#/skills?q=nothing-like-it", ".empty"],
    ["#/try?task=button+colour", ".answers .code"],
    ["#/try?task=button+colour&compare=1", ".compare > :nth-child(2) .panel"],
    [`#/try?task=${LONG_WORD}`, ".panel"],
    ["#/overview", ".chart canvas, .chart-empty"],
    ["#/seen", ".matrix [role=gridcell]"],
    ["#/model", ".figure"],
    ["#/sources", ".panel table"],
    ["#/health", ".problem-group"],
    ["#/usage", ".chart canvas, .empty"],
  ];
}

/** No violation anywhere, light or dark, with more contrast or without. */
export async function expectAccessibleEverywhere(page: Page, url: string, brokenFile: string): Promise<void> {
  let [here, other]: readonly [Media, Media] = [LIGHT, DARK];
  for (const [hash, ready, part] of states(brokenFile)) {
    // These have the parts that others have, and are about their width.
    if (hash.includes(LONG_NAME) || hash.includes(LONG_WORD)) continue;
    await visit(page, `${url}/${hash}`, ready);
    await expectAccessible(page, `${hash} ${JSON.stringify(here)}`, { part });
    // Only colours differ from here on. The next view begins with those that this one ends with.
    for (const media of [...(HIGH_CONTRAST.has(hash) ? [DARKEST, BRIGHTEST] : []), other]) {
      await page.emulateMedia(media);
      const contrast = media.contrast === "more" ? "more" : "normal";
      await page.locator(`html[data-theme=${media.colorScheme}][data-contrast=${contrast}]`).waitFor();
      await expectAccessible(page, `${hash} ${JSON.stringify(media)}`, { part, rules: ["color-contrast"] });
    }
    [here, other] = [other, here];
  }
}

/** Nothing reaches beyond the window, and every view is a tap or two away. */
export async function expectFitsEverywhere(phone: Page, url: string, brokenFile: string): Promise<void> {
  await visit(phone, `${url}/#/overview`, ".figure");
  await phone.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Overview" }).waitFor();
  for (const view of [
    "Skills",
    "Try it",
    "Health",
    "Usage",
    "Sources",
    "Seen by",
    "What the model sees",
    "Overview",
  ]) {
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
