import { describe, expect, test } from "vitest";

interface Skill {
  readonly name: string;
  readonly description: string;
}

interface Tool {
  readonly name: string;
  readonly namespace?: string;
  readonly description: string;
  readonly deferred: boolean;
}

interface Shown {
  readonly system: string;
  readonly messages: string;
  readonly tools: readonly Tool[];
}

interface Visible {
  countSkills(text: string, skills: readonly Skill[]): { names: number; begun: number; whole: number };
  howContained(where: string | undefined, text: string): string;
  seenPrefix(shown: string, text: string): number;
  stateOfTool(shown: Shown, name: string): string;
  visibleText(shown: Shown): string;
}

interface World {
  addSkills(
    world: { write: () => void },
    count: number,
    size: number,
  ): { readonly skills: readonly Skill[]; readonly targetText: string };
}

/** Scripts are plain JavaScript without types. */
const load = async <T>(file: string): Promise<T> =>
  (await import(new URL(`../../scripts/hosts/${file}`, import.meta.url).href)) as T;
const { countSkills, howContained, seenPrefix, stateOfTool, visibleText } =
  await load<Visible>("visible.mjs");
const { addSkills } = await load<World>("world.mjs");

describe("what check:hosts counts in a text", () => {
  const skills = [
    { name: "pdf", description: "Fills forms & signs them, for people who have to." },
    { name: "pdf-forms", description: "Draws the fields of a form, one after the other." },
  ];

  test.each([
    ["nothing", "a pdfs file", { names: 0, begun: 0, whole: 0 }],
    ["a name as a whole word", "- pdf-forms: forms", { names: 1, begun: 0, whole: 0 }],
    [
      "the beginning of a description",
      "pdf: Fills forms & signs them, for…",
      { names: 1, begun: 1, whole: 0 },
    ],
    [
      "a whole description with entities",
      "<name>pdf</name> Fills forms &amp; signs them, for people who have to.",
      { names: 1, begun: 1, whole: 1 },
    ],
    ["a description without its name", skills[1]?.description ?? "", { names: 0, begun: 0, whole: 0 }],
  ])("%s", (_case, text, expected) => {
    expect(countSkills(text, skills)).toEqual(expected);
  });

  test.each([
    ["all of it", "before 0123456789 0123456789 0123456789 after", 32],
    ["its beginning", "0123456789 0123456789 012… [truncated]", 25],
    ["a few characters by chance", "0123", 0],
  ])("the beginning of a longer text: %s", (_case, shown, expected) => {
    expect(seenPrefix(shown, "0123456789 0123456789 0123456789")).toBe(expected);
  });

  test("three dots and the sign for them are the same to a reader", () => {
    expect(seenPrefix("the rest is left out... here", "the rest is left out… here")).toBe(26);
  });

  test.each([
    ["equal", 'a "b"\n', "equal"],
    ["escaped", 'a \\"b\\"\\n', "as JSON"],
    ["cut", 'a "', "changed"],
    ["no answer at all", undefined, "no answer"],
  ])("a file that is %s", (_case, where, expected) => {
    expect(howContained(where, 'a "b"\n')).toBe(expected);
  });
});

describe("what check:hosts sees of a tool", () => {
  const skill: Tool = { name: "skill", namespace: "mcp__skills", description: "Lists pdf.", deferred: false };
  const exec: Tool = { name: "exec", description: "Calls mcp__skills__skill(name).", deferred: false };
  const nothing: Shown = { system: "", messages: "", tools: [] };

  test.each([
    ["a tool", { ...nothing, tools: [skill] }, "shown"],
    ["a tool that the API hides", { ...nothing, tools: [{ ...skill, deferred: true }] }, "deferred"],
    ["the text of another tool", { ...nothing, tools: [exec] }, "in exec"],
    ["a name in a text", { ...nothing, messages: "Search for mcp__skills__skill first." }, "named"],
    ["a longer name in a text", { ...nothing, messages: "mcp__skills__skill_file" }, "not shown"],
    ["nothing", nothing, "not shown"],
  ])("%s", (_case, shown, expected) => {
    expect(stateOfTool(shown, "mcp__skills__skill")).toBe(expected);
  });

  test("the text of a deferred tool is not visible", () => {
    expect(visibleText({ ...nothing, tools: [skill] })).toContain("Lists pdf.");
    expect(visibleText({ ...nothing, tools: [{ ...skill, deferred: true }] })).not.toContain("Lists pdf.");
  });
});

describe("the skills of check:hosts", () => {
  const { skills, targetText } = addSkills({ write: () => {} }, 1_200, 3_000);

  test("all names are different", () => {
    expect(new Set(skills.map(({ name }) => name)).size).toBe(1_200);
  });

  test("all descriptions are different and of the length that people write", () => {
    expect(new Set(skills.map(({ description }) => description.slice(0, 20))).size).toBeGreaterThan(900);
    expect(skills.filter(({ description: { length } }) => length < 150 || length > 270)).toEqual([]);
  });

  test("the target's file has about the size that was asked for", () => {
    expect(Math.abs(targetText.length - 3_000)).toBeLessThan(300);
  });
});
