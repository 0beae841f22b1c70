import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutText } from "../../../src/catalog/cut-text.ts";
import { type DescribeOptions, fitDescription } from "../../../src/catalog/describe/fit-description.ts";
import { listFormat } from "../../../src/catalog/describe/formats.ts";
import { manyEntries } from "../entries.ts";
import { FORMATS, someEntries } from "./described.ts";

const budget = fc.oneof(fc.integer({ min: 1, max: 30_000 }), fc.integer({ min: 1, max: 2_500 }));
const RUNS = { numRuns: 250 };
const HUNDRED_THOUSAND = manyEntries(100_000);

describe.each(FORMATS)("in the %s format, for any skills and any budget,", (_, { format, read }) => {
  const fit = (entries: Parameters<typeof fitDescription>[0], options: Omit<DescribeOptions, "format">) =>
    fitDescription(entries, { format, ...options });

  test("the description keeps to its budget", () => {
    fc.assert(
      fc.property(someEntries, budget, fc.boolean(), (entries, budget, finder) => {
        expect(fit(entries, { budget, finder }).text.length).toBeLessThanOrEqual(budget);
      }),
      RUNS,
    );
  });

  test("C4: the list is never broken, and the shown and the counted skills are all there are", () => {
    fc.assert(
      fc.property(someEntries, budget, fc.boolean(), (entries, budget, finder) => {
        const reading = read(fit(entries, { budget, finder }).text);
        if (reading === undefined) return;
        if (entries.length === 0) expect(reading).toEqual({ names: ["none"], more: 0 });
        else expect(reading.names.length + reading.more).toBe(entries.length);
      }),
      RUNS,
    );
  });

  test("the names that are shown are the first of the catalog, in its order", () => {
    fc.assert(
      fc.property(someEntries, budget, fc.boolean(), (entries, budget, finder) => {
        const names = read(fit(entries, { budget, finder }).text)?.names ?? [];
        const expected = entries.length === 0 ? ["none"] : entries.map((entry) => entry.listedAs);
        expect(names).toEqual(expected.slice(0, names.length));
      }),
      RUNS,
    );
  });

  test("a larger budget never shows fewer names", () => {
    fc.assert(
      fc.property(someEntries, budget, budget, fc.boolean(), (entries, one, other, finder) => {
        const shown = (budget: number) => read(fit(entries, { budget, finder }).text)?.names.length ?? 0;
        expect(shown(Math.min(one, other))).toBeLessThanOrEqual(shown(Math.max(one, other)));
      }),
      RUNS,
    );
  });

  test("shortened descriptions are as long as the budget allows, the same limit for all", () => {
    const entries = manyEntries(5).map((entry, number) => ({
      ...entry,
      skill: { ...entry.skill, description: "x".repeat(60 + 10 * number) },
    }));
    const cutTo = (limit: number): string =>
      [
        format.opening("short", true),
        ...entries.map((entry) => format.entry(entry, cutText(entry.skill.description, limit))),
        format.closing,
      ].join("");
    for (const limit of [24, 25, 40, 41, 60]) {
      expect(fit(entries, { budget: cutTo(limit).length, finder: true }).text).toBe(cutTo(limit));
    }
    expect(fit(entries, { budget: cutTo(24).length - 1, finder: true }).text).not.toContain("xx…");
  });

  test("it is complete exactly when every skill is there in full", () => {
    fc.assert(
      fc.property(someEntries, budget, fc.boolean(), (entries, budget, finder) => {
        const full = fit(entries, { budget: Number.MAX_SAFE_INTEGER, finder });
        expect(full.complete).toBe(true);
        for (const { skill } of entries) expect(full.text).toContain(wholeLine(format, skill.description));
        const { text, complete } = fit(entries, { budget, finder });
        expect(complete).toBe(full.text.length <= budget);
        if (complete) expect(text).toBe(full.text);
      }),
      RUNS,
    );
  });

  test("the same skills and budget give the same text", () => {
    fc.assert(
      fc.property(someEntries, budget, fc.boolean(), (entries, budget, finder) => {
        const options = { budget, finder };
        expect(fit([...entries], options)).toEqual(fit(entries, options));
      }),
      { numRuns: 50 },
    );
  });

  test.each([500, 2_000, 20_000, 200_000])("a hundred thousand skills fit %i characters", (budget) => {
    const { text, complete } = fit(HUNDRED_THOUSAND, { budget, finder: true });
    const reading = read(text);
    expect(complete).toBe(false);
    expect(text.length).toBeLessThanOrEqual(budget);
    expect(text.length).toBeGreaterThan(budget - 200);
    expect((reading?.names.length ?? 0) + (reading?.more ?? 0)).toBe(100_000);
    expect(text).toContain("find_skills");
  });

  test("an empty list has one entry that says none, at any budget that can hold it", () => {
    for (const finder of [true, false]) {
      for (let budget = 1; budget < 2_500; budget++) {
        const { text } = fit([], { budget, finder });
        expect(read(text) ?? { names: ["none"], more: 0 }).toEqual({ names: ["none"], more: 0 });
      }
    }
    expect(fit([], { budget: 20_000, finder: false })).toMatchObject({ complete: true });
  });
});

test("a very large budget for very many skills shortens their descriptions", () => {
  const entries = manyEntries(200_000, (index) => `Does thing ${index} and then some more. `.repeat(3));
  const budget = 10_000_000;
  const { text, complete } = fitDescription(entries, { format: listFormat, budget, finder: false });
  expect(complete).toBe(false);
  expect(text.length).toBeLessThanOrEqual(budget);
});

describe("as the budget shrinks", () => {
  const entries = manyEntries(20, (index) => `Does thing ${index} with ${"many words ".repeat(20)}`.trim());
  const fitXml = (budget: number, finder = true) => {
    const xml = FORMATS[0]?.[1].format ?? listFormat;
    return fitDescription(entries, { format: xml, budget, finder }).text;
  };
  const whole = fitXml(1_000_000).length;

  test.each([
    ["everything is there at first", whole, /How to use skills:/, /…|<more>/],
    [
      "then the instructions are short",
      whole - 1,
      /many words<\/description>/,
      /How to use skills:|…|<more>/,
    ],
    ["then descriptions are cut", whole - 2_000, /many…<\/description>|words…</, /How to use skills:|<more>/],
    ["then only names stay", 1_500, /<skill><name>skill-000019<\/name><\/skill>/, /<description>|<more>/],
    [
      "then the rest is counted",
      800,
      /<more>\d+ more skills are not shown: call find_skills/,
      /<description>/,
    ],
    [
      "then the instructions go",
      400,
      /^Load a skill by name\. find_skills .+\n\n<available_skills>\n<skill><name>skill-000000<.+<more>/s,
      /skills_instructions/,
    ],
    ["then no name is shown", 100, /^Find one with find_skills, then load a skill by name \(20/, /<skill>/],
    ["and at last the sentence is cut", 12, /^Find one…$/, /</],
  ])("%s", (_, budget, has, hasNot) => {
    expect(fitXml(budget)).toMatch(has);
    expect(fitXml(budget)).not.toMatch(hasNot);
  });

  test("cut descriptions are as long as the budget lets all of them be", () => {
    expect(whole - 1_000 - fitXml(whole - 2_000).length).toBeLessThan(1_500);
  });

  test("a name too long for what is left ends the list, so that no later name jumps ahead", () => {
    const names = ["first", "x".repeat(500), "third"];
    const uneven = manyEntries(3).map((entry, index) => ({ ...entry, listedAs: names[index] ?? "" }));
    const { text } = fitDescription(uneven, { format: listFormat, budget: 300, finder: true });
    expect(text).toMatch(/- first\n- … and 2 more: .+\n$/);
  });

  test("find_skills is not named when there is none", () => {
    for (let budget = 1; budget < 6_000; budget += 7)
      expect(fitXml(budget, false)).not.toContain("find_skills");
  });
});

function wholeLine(format: DescribeOptions["format"], description: string): string {
  const [entry] = manyEntries(1, () => description);
  if (entry === undefined) throw new Error("There is one entry.");
  const written = format.entry(entry, description);
  return written.slice(written.indexOf("skill-000000") + "skill-000000".length).split("<location>")[0] ?? "";
}
