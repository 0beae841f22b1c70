import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { skillText } from "../../../../test/support/sandbox.ts";
import { parseSkill } from "../../src/skill/parse-skill.ts";

const lenient = (text: string) => parseSkill(text, { lenient: true });

describe("a lenient reader", () => {
  test.each<[string, string, object, readonly string[]]>([
    ["without a name", "---\ndescription: D\n---\n", { name: "", description: "D" }, ["missing-name"]],
    ["with an empty name", "---\nname:\ndescription: D\n---\n", { name: "" }, ["missing-name"]],
    [
      "without a description",
      "---\nname: x\n---\n# X\n\nDoes x. And y.\n",
      { name: "x", description: "Does x." },
      ["missing-description"],
    ],
    [
      "with neither",
      "---\nlicense: MIT\n---\nDoes x.\n",
      { name: "", description: "Does x." },
      ["missing-name", "missing-description"],
    ],
    [
      "without front matter",
      "\uFEFF# Title\n\nDoes x.\n",
      { name: "", description: "Does x.", bodyStart: 0 },
      ["missing-name", "missing-description"],
    ],
    [
      "that ends with a rule",
      "Does x.\n\n---",
      { name: "", description: "Does x.", bodyStart: 0 },
      ["missing-name", "missing-description"],
    ],
  ])("takes a file %s, with a warning", (_case, text, skill, codes) => {
    const parsed = lenient(text);
    expect(parsed).toMatchObject({ ok: true, skill });
    expect(parsed.ok && parsed.skill.warnings.map(({ code }) => code)).toEqual(codes);
    expect(parseSkill(text)).toMatchObject({ ok: false });
    // What would load with a warning is what a strict reader refuses.
    expect(parseSkill(text, { lenient: true, strict: true })).toMatchObject({ ok: false });
  });

  test.each([
    ["nothing that describes it", "---\nname: x\n---\n", "missing-description"],
    ["an empty text", "", "missing-description"],
    ["half of a front matter", "---\nname: half\ndescr", "no-front-matter"],
    ["a list as its name", "---\nname: [a]\n---\nText.\n", "front-matter-unreadable"],
    ["code as front matter", "---js\nx\n---\nText.\n", "front-matter-language"],
  ])("still refuses a file with %s", (_case, text, code) => {
    expect(lenient(text)).toMatchObject({ ok: false, problem: { code } });
  });

  test("lenient: a valid skill is read as without it", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (name, description, body) => {
        const text = skillText(name, description, body);
        const plain = parseSkill(text);
        if (plain.ok) expect(lenient(text)).toEqual(plain);
      }),
    );
  });
});
