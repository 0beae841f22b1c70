import { describe, expect, test } from "vitest";
import { summarise } from "../../src/history/summarise.ts";
import { createTally } from "../../src/history/tally-events.ts";

type Step = readonly [what: "suggested" | "native" | "served", at: string, skill?: string];

function funnelOf(steps: readonly Step[]) {
  const tally = createTally();
  for (const [what, at, skill = "pdf"] of steps) {
    const time = Date.parse(`2026-11-${at}Z`);
    tally.add({
      type: what === "served" ? "skill_served" : "skill_suggested",
      day: `2026-11-${at.slice(0, 2)}`,
      time,
      data: { skill_path: skill, ...(what === "native" ? { native: true } : {}) },
    });
  }
  const { suggestions, totals } = summarise(tally.days(), { since: "2026-11-01", until: "2026-11-30" }, []);
  return { suggestions, suggested: totals.suggested };
}

describe("a suggestion", () => {
  test.each<[string, readonly Step[], object]>([
    ["is ignored when nothing is loaded", [["suggested", "02T10:00"]], { loaded: 0, ignored: 1 }],
    [
      "is loaded when its skill is loaded soon after",
      [
        ["suggested", "02T10:00"],
        ["served", "02T10:05"],
      ],
      { loaded: 1, ignored: 0 },
    ],
    [
      "is ignored when its skill is loaded an hour later, or before",
      [
        ["served", "02T09:59"],
        ["suggested", "02T10:00"],
        ["served", "02T11:00"],
      ],
      { loaded: 0, ignored: 1 },
    ],
    [
      "is ignored when another skill is loaded",
      [
        ["suggested", "02T10:00"],
        ["served", "02T10:01", "docx"],
      ],
      { loaded: 0, ignored: 1 },
    ],
    [
      "counts once for each prompt of one task",
      [
        ["suggested", "02T10:00"],
        ["suggested", "02T10:02"],
        ["served", "02T10:03"],
        ["suggested", "02T10:04"],
      ],
      { suggested: 3, loaded: 2, ignored: 1 },
    ],
    [
      "just before midnight is followed into the next day",
      [
        ["suggested", "02T23:55"],
        ["served", "03T00:05"],
      ],
      { loaded: 1, ignored: 0 },
    ],
    [
      "of a skill that the agent reads by itself is neither",
      [["native", "02T10:00"]],
      { suggested: 1, loaded: 0, ignored: 0, native: 1 },
    ],
  ])("%s", (_what, steps, expected) => {
    const { suggestions } = funnelOf(steps);
    expect(suggestions).toEqual([expect.objectContaining({ skill: "pdf", ...expected })]);
  });

  test("is counted in the totals", () => {
    expect(
      funnelOf([
        ["suggested", "02T10:00"],
        ["native", "03T10:00"],
      ]).suggested,
    ).toBe(2);
  });
});
