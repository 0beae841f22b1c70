import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codePoint } from "../../../../../test/support/code-point.ts";
import { rounds } from "../../../../../test/support/rounds.ts";
import { parseSkill } from "../../../src/skill/parse-skill.ts";

const skill = (fields: string) => `---\nname: a\ndescription: b\n${fields}\n---\n`;

describe("a hostile file costs little and runs nothing", () => {
  test.each([
    ["20,000 nested lists", skill(`x: ${"[".repeat(20_000)}`)],
    ["20,000 nested maps", skill(`x: ${"{a: ".repeat(15_000)}`)],
    ["nested block lists", skill(`x:\n  ${"- ".repeat(20_000)}`)],
    ["nested complex keys", skill("? ".repeat(20_000))],
    ["an alias bomb", skill("x: &x [*x,*x]\ny: [*x,*x,*x,*x,*x,*x,*x,*x]")],
    ["20,000 keys", skill("k:\n".repeat(20_000))],
    ["5,000 different keys", skill(Array.from({ length: 5000 }, (_, at) => `k${at}: v`).join("\n"))],
    ["a tag that asks for code", skill('x: !!js/function "function () { throw 1 }"')],
    ["60,000 quotes", skill(`x: ${'"'.repeat(60_000)}`)],
    ["60,000 spaces before a letter", skill(`x: a${" ".repeat(60_000)}b: c`)],
    ["60,000 blank lines", skill("\n".repeat(60_000))],
    ["60,000 dashes", skill("-".repeat(60_000))],
    ["60,000 NUL characters", skill(`x: ${"\0".repeat(60_000)}`)],
    ["60,000 hashes", skill(" #".repeat(30_000))],
    ["thousands of broken fields", skill("x: [\n".repeat(1900))],
    ["a million lines without an end", `---\n${"name: a\n".repeat(1_000_000)}`],
  ])("%s", (_, text) => {
    parseSkill(text); // Compiled once, so that the clock measures the text and not the engine.
    const start = process.cpuUsage();
    parseSkill(text);
    // Processor time, which a busy machine does not stretch. It takes under 20 ms; a quadratic reader takes seconds.
    expect(process.cpuUsage(start).user).toBeLessThan(500_000);
  });

  test("an alias is never followed", () => {
    const result = parseSkill(skill("x: &x [1]\ny: *x"));
    expect(result).toMatchObject({ ok: true, skill: { warnings: [{ code: "front-matter-recovered" }] } });
    expect(result.ok && result.skill.fields["y"]).toBe("*x");
  });

  test.each([
    ["plain", "__proto__: polluted\nconstructor: polluted\nprototype: polluted"],
    ["nested", "x: {__proto__: {polluted: true}, constructor: 1}"],
    ["recovered", "__proto__: polluted\nconstructor: b: c\nz: y: x"],
  ])("keys that reach a prototype are dropped (%s)", (_, fields) => {
    const result = parseSkill(skill(fields));
    expect(result.ok).toBe(true);
    if (!result.ok) return;
    expect(Object.getPrototypeOf(result.skill.fields)).toBeNull();
    const keys = Object.keys({ ...result.skill.fields, ...(result.skill.fields["x"] as object | undefined) });
    expect(keys.filter((key) => /proto|constructor/.test(key))).toEqual([]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("no text makes the parser throw", () => {
  const parses = (text: string) => {
    const result = parseSkill(text);
    expect(parseSkill(text)).toEqual(result);
    if (!result.ok) {
      expect(result.problem.message.endsWith(".")).toBe(true);
      return;
    }
    expect(result.skill.name).toBe(result.skill.name.trim());
    expect(result.skill.name).not.toBe("");
    expect(result.skill.description).not.toMatch(/^$|^\s|\s$|\s\s|\n/);
    expect(result.skill.bodyStart).toBeLessThanOrEqual(text.length);
    const strict = parseSkill(text, { strict: true });
    expect(strict.ok).toBe(result.skill.warnings.length === 0);
  };

  test("random strings", () => {
    fc.assert(fc.property(fc.string({ unit: codePoint, maxLength: 200 }), parses));
    fc.assert(fc.property(fc.string({ unit: codePoint }), (text) => parses(`---\n${text}\n---\n`)));
    fc.assert(fc.property(fc.string({ unit: codePoint }), (text) => parses(skill(text))));
  });

  test("mutated front matter", () => {
    const base =
      "---\nname: a-skill\ndescription: |\n  Does it.\n  Use when: asked\nmetadata:\n  tags: [a, 'b']\n  m: {a: \"x\"}\n---\n# Body\n";
    const mutation = fc.record({
      at: fc.nat({ max: base.length }),
      remove: fc.nat({ max: 6 }),
      insert: fc.oneof(
        fc.constantFrom(
          "---",
          "\n",
          "\r",
          "\t",
          ": ",
          "#",
          '"',
          "'",
          "[",
          "{",
          "*",
          "&",
          "!",
          "|",
          ">",
          "\0",
          "name: b\n",
          "- ",
        ),
        fc.string({ unit: codePoint, maxLength: 4 }),
      ),
    });
    const mutated = fc.array(mutation, { minLength: 1, maxLength: 5 }).map((mutations) => {
      let text = base;
      for (const { at, remove, insert } of mutations)
        text = text.slice(0, at) + insert + text.slice(at + remove);
      return text;
    });
    fc.assert(fc.property(mutated, parses), rounds(250));
  });
});
