import { describe, expect, test } from "vitest";
import { manyEntries } from "../../../../../test/support/skills.ts";
import { xmlFormat } from "../../../src/mcp/describe/formats.ts";
import { type CatalogueOptions, writeCatalogue } from "../../../src/mcp/describe/write-catalogue.ts";

const OPTIONS: CatalogueOptions = {
  format: xmlFormat,
  listIn: ["description"],
  budgets: { description: 20_000, instructions: 5_000 },
  firstLineLimit: 157,
  repeatNames: false,
  finder: true,
  guidance: "",
};

const instructionsOf = (count: number, more: Partial<CatalogueOptions>, budget = 5_000): string => {
  const budgets = { description: 20_000, instructions: budget };
  return writeCatalogue(manyEntries(count), { ...OPTIONS, budgets, ...more }).instructions;
};

/** What the budget must have beyond a text, so that it could still end in an ellipsis. */
const SPARE = 2;

describe("the instructions fill their budget", () => {
  const LEAD =
    "Before you start a task, load the matching skill with the `skill` tool: skill-000000, skill-000001.";

  test("with the first line", () => {
    expect(instructionsOf(2, {})).toBe(LEAD);
    expect(instructionsOf(2, {}, LEAD.length + SPARE)).toBe(LEAD);
    const short = "Before a task, load its skill with `skill`: skill-000000, skill-000001.";
    expect(instructionsOf(2, {}, LEAD.length + SPARE - 1)).toBe(short);
    expect(instructionsOf(2, {}, short.length + SPARE - 1)).not.toContain("skill-000001");
  });

  test("and with what there is to say of other tools, or without any of it", () => {
    const guidance = "Prefer `skills.list` for exhaustive metadata.";
    const both = `${LEAD}\n${guidance}`;
    expect(instructionsOf(2, { guidance })).toBe(both);
    expect(instructionsOf(2, { guidance }, both.length + SPARE)).toBe(both);
    expect(instructionsOf(2, { guidance }, both.length + SPARE - 1)).toBe(LEAD);
  });

  test("and with the names that the first line does not have", () => {
    const all = instructionsOf(20, { repeatNames: true });
    expect(all).toMatch(/^.+ … .+\nNames: skill-000000, .+, skill-000019\.$/);
    // The first line has an ellipsis of its own, which counts as three characters.
    expect(instructionsOf(20, { repeatNames: true }, all.length + 2 * SPARE)).toBe(all);
    expect(instructionsOf(20, { repeatNames: true }, all.length + 2 * SPARE - 1)).toMatch(
      / … and \d more\.$/,
    );
  });

  test("and do not name again what the first line names", () => {
    expect(instructionsOf(2, { repeatNames: true })).toBe(LEAD);
  });
});

describe("the description fills its budget", () => {
  const skills = manyEntries(3);
  const write = (description: number, more: Partial<CatalogueOptions> = {}) =>
    writeCatalogue(skills, { ...OPTIONS, ...more, budgets: { description, instructions: 5_000 } });

  test.each([
    ["without a note", {}],
    ["with a note", { note: "2 more are known." }],
  ])("%s, in the format that was asked for and then in lines", (_, more) => {
    const whole = write(20_000, more).description;
    expect(write(whole.length, more)).toMatchObject({ description: whole, complete: true, shown: 3 });
    const lines = write(whole.length - 1, more);
    expect(lines).toMatchObject({ complete: true, shown: 3 });
    expect(lines.description).toMatch(/^Load a skill: /);
    expect(write(lines.description.length, more)).toEqual(lines);
    expect(write(lines.description.length - 1, more).complete).toBe(false);
  });

  test("a note is below the list", () => {
    const note = "2 more are known.";
    const { length } = write(20_000, { note }).description;
    expect(write(length, { note }).description.endsWith(`</available_skills>\n\n${note}`)).toBe(true);
    expect(write(length - 1, { note }).description.endsWith(`Does thing 2.\n\n${note}`)).toBe(true);
  });

  test("with the least sentence, which is cut where it is longer", () => {
    const least = "Find one with find_skills, then load a skill by name (3 available).";
    // Room for the ellipsis of a cut sentence is kept in any case.
    expect(write(least.length + SPARE).description).toBe(least);
    expect(write(least.length + SPARE - 1).description).toBe(
      "Find one with find_skills, then load a skill by name (3…",
    );
    expect(write(0).description).toBe("");
    expect(write(1_000, { finder: false }).description).not.toContain("find_skills");
    expect(write(80, { finder: false }).description).toBe("Load a skill by name (3 available).");
  });
});
