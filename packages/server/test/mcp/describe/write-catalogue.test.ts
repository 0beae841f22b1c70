import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ListPlace } from "#agents";
import type { Entry } from "#skills";
import { cutText } from "#util/pure";
import { rounds } from "../../../../../test/support/rounds.ts";
import { manyEntries } from "../../../../../test/support/skills.ts";
import { line, listFormat, xmlFormat } from "../../../src/mcp/describe/formats.ts";
import { byRule } from "../../../src/mcp/describe/list-order.ts";
import {
  type Catalogue,
  type CatalogueOptions,
  writeCatalogue,
} from "../../../src/mcp/describe/write-catalogue.ts";
import { read, someEntries } from "./described.ts";

const OPTIONS: CatalogueOptions = {
  format: xmlFormat,
  listIn: ["description"],
  budgets: { description: 20_000, instructions: 2_000 },
  firstLineLimit: 157,
  repeatNames: false,
  finder: true,
  guidance: "",
};
const HUNDRED_THOUSAND = manyEntries(100_000);
const RUNS = rounds(40);

const budget = fc.oneof(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 0, max: 2_500 }));
const options: fc.Arbitrary<CatalogueOptions> = fc
  .record({
    format: fc.constantFrom(xmlFormat, listFormat),
    listIn: fc.constantFrom<readonly ListPlace[]>(
      ["description"],
      ["description", "instructions"],
      ["instructions", "description"],
    ),
    budgets: fc.record({ description: budget, instructions: budget }),
    firstLineLimit: fc.constantFrom(157, 250),
    repeatNames: fc.boolean(),
    finder: fc.boolean(),
    guidance: fc.constantFrom("", "Prefer `skills.list` for exhaustive metadata."),
    note: fc.constantFrom(undefined, "12 more skills are known to the client itself."),
  })
  .map(({ note, ...rest }) => (note === undefined ? rest : { ...rest, note }));

/** What a model reads in both texts, in the order in which they are filled. */
function readBoth({ description, instructions }: Catalogue, { listIn }: CatalogueOptions) {
  const texts = { description, instructions };
  const readings = listIn.map((place) => read(texts[place]));
  return {
    names: readings.flatMap(({ names }) => names),
    described: readings.flatMap(({ described }) => described),
    more: readings.reduce((sum, { more }) => sum + more, 0),
  };
}

const characters = (text: string): number => text.replaceAll("…", "...").length;

describe("for any skills, places and budgets,", () => {
  const always = (holds: (entries: readonly Entry[], options: CatalogueOptions) => void): void =>
    fc.assert(fc.property(someEntries, options, holds), RUNS);

  test("neither text is over its budget", () =>
    always((entries, options) => {
      const { description, instructions } = writeCatalogue(entries, options);
      expect(characters(description)).toBeLessThanOrEqual(options.budgets.description);
      expect(characters(instructions)).toBeLessThanOrEqual(options.budgets.instructions);
    }));

  test("nor when both the first line and the names end in an ellipsis", () => {
    const entries = manyEntries(3).map((entry, at) => ({
      ...entry,
      listedAs: at === 0 ? "a" : "long".repeat(50),
    }));
    const guidance = "Prefer `skills.list` for exhaustive metadata.";
    for (let instructions = 100; instructions < 1_000; instructions++) {
      const budgets = { description: 0, instructions };
      const text = writeCatalogue(entries, { ...OPTIONS, budgets, repeatNames: true, guidance }).instructions;
      expect(characters(text)).toBeLessThanOrEqual(instructions);
    }
  });

  test("each skill is in one room at most, in the order of the catalog, and the rest is counted", () =>
    always((entries, options) => {
      const catalogue = writeCatalogue(entries, options);
      const { names, more } = readBoth(catalogue, options);
      const expected = entries.map(({ listedAs }) => listedAs);
      expect(names).toEqual(expected.slice(0, catalogue.shown));
      if (names.length > 0) expect(names.length + more).toBe(entries.length);
    }));

  test("names come before descriptions: none has one unless all are named, and the first ones have them", () =>
    always((entries, options) => {
      const { names, described } = readBoth(writeCatalogue(entries, options), options);
      if (described.length > 0) expect(names).toHaveLength(entries.length);
      expect(described).toEqual(names.slice(0, described.length));
    }));

  test("it is complete exactly when every skill is there with its whole description", () =>
    always((entries, options) => {
      const catalogue = writeCatalogue(entries, options);
      const { described } = readBoth(catalogue, options);
      if (catalogue.complete) expect(described).toHaveLength(entries.length);
      const unlimited = { description: Number.MAX_SAFE_INTEGER, instructions: Number.MAX_SAFE_INTEGER };
      expect(writeCatalogue(entries, { ...options, budgets: unlimited }).complete).toBe(true);
    }));

  test("an edit of one skill's description moves no other skill", () =>
    always((entries, options) => {
      const edited = entries.map((entry, index) =>
        index === 1 ? { ...entry, skill: { ...entry.skill, description: "Another." } } : entry,
      );
      const [before, after] = [entries, edited].map(
        (some) => readBoth(writeCatalogue(some, options), options).names,
      );
      const both = Math.min(before?.length ?? 0, after?.length ?? 0);
      expect(after?.slice(0, both)).toEqual(before?.slice(0, both));
    }));

  test("find_skills is not named where there is none", () =>
    always((entries, options) => {
      const { description, instructions } = writeCatalogue(entries, { ...options, finder: false });
      expect(description + instructions).not.toContain("find_skills");
    }));

  test("a larger description never names fewer skills", () => {
    fc.assert(
      fc.property(someEntries, budget, budget, fc.boolean(), (entries, one, other, finder) => {
        const shown = (description: number) =>
          writeCatalogue(entries, { ...OPTIONS, finder, budgets: { description, instructions: 0 } }).shown;
        expect(shown(Math.min(one, other))).toBeLessThanOrEqual(shown(Math.max(one, other)));
      }),
      RUNS,
    );
  });
});

describe("as the description's budget shrinks", () => {
  const entries = manyEntries(20, (index) => `Does thing ${index} with ${"many words ".repeat(20)}`.trim());
  const within = (description: number) =>
    writeCatalogue(entries, { ...OPTIONS, budgets: { description, instructions: 0 } }).description;
  const whole = within(1_000_000).length;

  test.each([
    ["everything is there in XML at first", whole, /How to use skills:/, /…/],
    ["then on one line each", whole - 1, /\n- skill-000019: .+ words\n$/, /find_skills|…|<skill>/],
    ["then descriptions are cut", 3_000, /\n- skill-000019: Does .+(?:many|words)…\n/, /and \d+ more/],
    [
      "then only the first have one",
      900,
      /\n- skill-000000: Does .+…\n[^]*\nAlso: .+skill-000019\n/,
      /and \d+ more/,
    ],
    ["then only names stay", 570, /:\n(?:- .+\n)*.*skill-000018, skill-000019\n$/, /and \d+ more/],
    [
      "then the rest is counted",
      400,
      /:\nskill-000000, .+\n- … and \d+ more: call find_skills/,
      /Before you begin/,
    ],
    ["then no name is shown", 100, /^Find one with find_skills, then load a skill by name \(20/, /skill-0/],
    ["and at last the sentence is cut", 12, /^Find one…$/, /-/],
  ])("%s", (_, budget, has, hasNot) => {
    expect(within(budget)).toMatch(has);
    expect(within(budget)).not.toMatch(hasNot);
  });

  test("little of the budget is wasted", () => {
    for (let budget = 600; budget < 5_000; budget += 50)
      expect(budget - within(budget).length, `${budget}`).toBeLessThan(20 * 14);
  });

  test("cut descriptions have one length, the longest that fits", () => {
    const uneven = manyEntries(5).map((entry, number) => ({
      ...entry,
      skill: { ...entry.skill, description: "x".repeat(60 + 10 * number) },
    }));
    const cutTo = (limit: number): string =>
      uneven.map((entry) => `${line(entry, cutText(entry.skill.description, limit))}\n`).join("");
    const fit = (description: number) =>
      writeCatalogue(uneven, { ...OPTIONS, budgets: { description, instructions: 0 } }).description;
    const around = fit(500).indexOf("- skill");
    for (const limit of [24, 25, 40, 41, 60]) {
      const text = fit(around + characters(cutTo(limit)));
      expect(text.slice(text.indexOf("- skill"))).toBe(cutTo(limit));
    }
  });
});

test.each([500, 2_000, 20_000, 200_000])(
  "of a hundred thousand skills, %i characters are filled",
  (description) => {
    const catalogue = writeCatalogue(HUNDRED_THOUSAND, {
      ...OPTIONS,
      budgets: { description, instructions: 0 },
    });
    expect(catalogue.complete).toBe(false);
    expect(catalogue.description.length).toBeGreaterThan(description - 100);
    expect(catalogue.description).toContain(`and ${100_000 - catalogue.shown} more`);
  },
);

test("a list over two texts has more skills than either", () => {
  const budgets = { description: 3_900, instructions: 4_000 };
  const both = writeCatalogue(HUNDRED_THOUSAND, {
    ...OPTIONS,
    listIn: ["description", "instructions"],
    budgets,
  });
  const one = writeCatalogue(HUNDRED_THOUSAND, { ...OPTIONS, budgets });
  expect(both.shown).toBeGreaterThan(one.shown * 1.9);
  expect(both.description).toContain("The list continues in this server's instructions.");
  expect(both.instructions).toContain(
    "More skills (the list starts in the description of the `skill` tool):\n",
  );
});

test.each([1, 8])("where a list of %i begins in the instructions, the description says so", (count) => {
  const entries = manyEntries(count);
  const listIn = ["instructions", "description"] as const;
  const { description, instructions, complete } = writeCatalogue(entries, {
    ...OPTIONS,
    listIn,
    budgets: { description: 20_000, instructions: 8_000 },
  });
  expect(complete).toBe(true);
  expect(read(instructions).described).toHaveLength(count);
  expect(description).toMatch(/^Load a skill: .+ All skills are listed in this server's instructions\.$/);
});

test("a list that begins in the instructions names all skills there before any description is whole", () => {
  const entries = manyEntries(60, (index) => `Does thing ${index} with ${"many words ".repeat(20)}`.trim());
  const { description, instructions } = writeCatalogue(entries, {
    ...OPTIONS,
    listIn: ["instructions", "description"],
    budgets: { description: 20_000, instructions: 8_000 },
  });
  expect(read(instructions).described).toHaveLength(60);
  expect(description).toMatch(/All skills are listed in this server's instructions\.$/);
});

test("the instructions name the skills again where nobody knows what a client shows", () => {
  const { description, instructions } = writeCatalogue(manyEntries(60), { ...OPTIONS, repeatNames: true });
  expect(read(description).names).toHaveLength(60);
  expect(instructions).toMatch(/\nNames: skill-000000, .+, skill-000059\.$/);
  expect(instructions.split("\n")[0]?.length).toBeLessThanOrEqual(OPTIONS.firstLineLimit);
});

test.each<[readonly ListPlace[]]>([[["description"]], [["instructions", "description"]]])(
  "an empty list over %j says none, and what the client knows by itself",
  (listIn) => {
    const { description, instructions, complete } = writeCatalogue([], {
      ...OPTIONS,
      listIn,
      note: "2 more are known.",
    });
    expect(complete).toBe(true);
    expect(description).toMatch(/<name>none<\/name>[^]+\n\n2 more are known\.$/);
    expect(instructions).toBe("Skills are instructions for a task: load one with `skill`.");
  },
);

test.each([157, 250])(
  "a longer first line of the instructions tells more, here within %i characters",
  (firstLineLimit) => {
    const [first = ""] = writeCatalogue(manyEntries(1_000), {
      ...OPTIONS,
      firstLineLimit,
    }).instructions.split("\n");
    expect(first.length).toBeGreaterThan(firstLineLimit - 20);
    expect(first.length).toBeLessThanOrEqual(firstLineLimit);
  },
);

test("the first line says which tool tells of every skill", () => {
  const topics = ["excel", "git", "pdf"];
  const entries = manyEntries(60).map((entry, at) => ({
    ...entry,
    listedAs: `${topics[at % 3]}-task-${at}`,
  }));
  const firstLine = (more: Partial<CatalogueOptions>): string =>
    writeCatalogue(entries, { ...OPTIONS, ...more }).instructions.split("\n")[0] ?? "";
  expect(firstLine({})).toContain("All 60: `skill` lists them.");
  const small = { description: 1_200, instructions: 2_000 };
  expect(firstLine({ budgets: small })).toContain("All 60: `find_skills` finds the right one.");
  // The list goes on in the instructions, so the tool alone does not list them all.
  const both = { description: 1_200, instructions: 20_000 };
  expect(firstLine({ listIn: ["description", "instructions"], budgets: both })).toContain("60 in all.");
});

describe("with rules of the operator", () => {
  const rule = fc.constantFrom(undefined, undefined, "always" as const, "name-only" as const);
  const ruled = fc.tuple(someEntries, fc.array(rule, { maxLength: 80 })).map(([entries, rules]) =>
    byRule(
      entries.map((entry, index): Entry => {
        const one = rules[index];
        return one === undefined ? entry : { ...entry, rule: one };
      }),
    ),
  );
  const always = (holds: (entries: readonly Entry[], options: CatalogueOptions) => void): void =>
    fc.assert(fc.property(ruled, options, holds), RUNS);

  test("every text keeps to its budget, and names the first skills once and in order", () =>
    always((entries, options) => {
      const catalogue = writeCatalogue(entries, options);
      expect(characters(catalogue.description)).toBeLessThanOrEqual(options.budgets.description);
      expect(characters(catalogue.instructions)).toBeLessThanOrEqual(options.budgets.instructions);
      const { names, more } = readBoth(catalogue, options);
      expect(names).toEqual(entries.slice(0, catalogue.shown).map(({ listedAs }) => listedAs));
      if (more > 0) expect(more).toBe(entries.length - catalogue.shown);
    }));

  test("a skill that is listed by its name alone never has a description, and its list is not complete", () =>
    always((entries, options) => {
      const catalogue = writeCatalogue(entries, options);
      const { described } = readBoth(catalogue, options);
      const names = entries.filter((entry) => entry.rule === "name-only").map(({ listedAs }) => listedAs);
      expect(described.filter((name) => names.includes(name))).toEqual([]);
      if (names.length > 0) expect(catalogue.complete).toBe(false);
    }));

  test("what is always wanted is whole and first, however little is left for the others", () => {
    const entries = manyEntries(
      500,
      (index) => `Does thing ${index} with all the steps that it takes, and a way back.`,
    );
    const wanted = [400, 7, 123].map((index) => ({ ...(entries[index] as Entry), rule: "always" as const }));
    const names = new Set(wanted.map(({ listedAs }) => listedAs));
    const ordered = [...wanted, ...entries.filter(({ listedAs }) => !names.has(listedAs))];
    for (const size of [900, 2_000, 8_000, 20_000]) {
      const budgets = { description: size, instructions: 0 };
      const { description } = writeCatalogue(byRule(ordered), { ...OPTIONS, budgets });
      const lines = wanted.map((entry) => `${line(entry, entry.skill.description)}\n`).join("");
      expect([size, description.includes(`\nAvailable skills:\n${lines}`)]).toEqual([size, true]);
    }
  });

  test("one that alone is too long for every text is listed like the others", () => {
    const [first, ...others] = manyEntries(20);
    const long = { ...(first as Entry), rule: "always" as const };
    const huge = { ...long, skill: { ...long.skill, description: "x".repeat(5_000) } };
    const budgets = { description: 1_000, instructions: 0 };
    const { shown } = writeCatalogue([huge, ...others], { ...OPTIONS, budgets });
    expect(shown).toBe(20);
  });
});
