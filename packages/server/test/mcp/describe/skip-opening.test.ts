import { describe, expect, test } from "vitest";
import { skipOpening } from "../../../src/mcp/describe/skip-opening.ts";

describe("openings: skipped", () => {
  test.each([
    ["Use when the user wants to fill a form.", "fill a form."],
    ["When the user wants to create or optimize a page.", "create or optimize a page."],
    ["When the user wants help with paid ads.", "paid ads."],
    ['This skill should be used when the user asks to "pentest AWS".', '"pentest AWS".'],
    ["This skill should be used when working with BED files.", "working with BED files."],
    ["Use this skill whenever the user wants to do anything with PDF files.", "do anything with PDF files."],
    ["Use this skill to query notebooks.", "query notebooks."],
    ["Use when a user asks what the CRA means.", "what the CRA means."],
    ["USE WHEN asked to review a diff.", "review a diff."],
    ["Use when: SSMA console operations.", "SSMA console operations."],
    ["Use this skill any time a .pptx file is involved.", "a .pptx file is involved."],
    ["Use when you have a plan.", "you have a plan."],
    // Who asks decides here, so that it stays.
    ["Use when the user explicitly asks to deploy.", "the user explicitly asks to deploy."],
    ["Use when the user asks not to be disturbed.", "the user asks not to be disturbed."],
    ["Use when the user does not have a key.", "the user does not have a key."],
  ])("%s", (description, rest) => {
    expect(skipOpening(description)).toBe(rest);
  });
});

describe("openings: kept", () => {
  test.each([
    "Do NOT use when the user wants to fill a form.",
    "Use only when the user asks for it.",
    "Use when not online.",
    "Use when no test exists.",
    "Use if only one file changed.",
    "Never use for production.",
    "Use before merging.",
    "Use Scapy to craft packets.",
    "Used when nothing else fits.",
    "When in doubt, ask.",
    "Fills forms. Use when the user wants to fill a form.",
    "Use when",
    "Use when …",
    "When the user wants to",
    "",
  ])("%s", (description) => {
    expect(skipOpening(description)).toBe(description);
  });
});
