import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { buildCatalog } from "../../src/catalog/catalog.ts";
import { publishNames } from "../../src/catalog/publish-names.ts";
import type { Skill } from "../../src/skill/skill.ts";

function skill(name: string, more: Partial<Skill> = {}): Skill {
  const dir = `/skills/${more.provider ?? "agents"}/${more.plugin?.name ?? ""}/${name}`;
  const base = { name, description: "Does it.", provider: "agents", location: "user" } as const;
  return { ...base, dir, realDir: dir, fileName: "SKILL.md", ...more };
}

const plugin = (name: string): Partial<Skill> => ({
  provider: "claude",
  location: "plugin",
  plugin: { name },
});
const names = (...skills: readonly Skill[]) => [...publishNames(buildCatalog(skills)).keys()];

describe("a skill is published as", () => {
  test.each<[string, readonly Skill[], readonly string[]]>([
    ["its name", [skill("pdf")], ["pdf"]],
    ["its name, if only a plugin has it", [skill("pdf", plugin("office"))], ["pdf"]],
    [
      "plugin and name, if a plain skill has it",
      [skill("pdf"), skill("pdf", plugin("office"))],
      ["pdf", "office-pdf"],
    ],
    [
      "plugin and name, if two plugins have it",
      [skill("pdf", plugin("a")), skill("pdf", plugin("b"))],
      ["a-pdf", "b-pdf"],
    ],
    [
      "provider and name, if two agents have it",
      [skill("pdf", { provider: "claude" }), skill("pdf", { provider: "codex" })],
      ["claude-pdf", "codex-pdf"],
    ],
    ["the nearest plain name", [skill("Ärger & Co_2")], ["arger-co-2"]],
  ])("%s", (_, skills, expected) => {
    expect(names(...skills)).toEqual(expected);
  });

  test("a name of its own, where the plain one is taken or nothing is left of it", () => {
    const [first, second, third] = names(skill("a-b"), skill("a b"), skill("日本"));
    expect(first).toBe("a-b");
    expect(second).toMatch(/^a-b-[a-z0-9]+$/);
    expect(third).toMatch(/^skill-[a-z0-9]+$/);
  });

  test("the same name for ever, because installers know it by that", () => {
    expect(names(skill("日本"))).toEqual(["skill-1n639ku1tx5jod"]);
  });

  test("a name of the greatest length, where the plain one is longer and taken", () => {
    const [first, second = ""] = names(skill("a".repeat(64)), skill("a".repeat(65)));
    expect(first).toBe("a".repeat(64));
    expect(second).toMatch(/^a+-[a-z0-9]+$/);
    expect(second).toHaveLength(64);
  });

  test("nothing, if it is internal", () => {
    const invocation = { model: true, user: true, because: [], internal: true } as const;
    expect(names(skill("own", { invocation }), skill("pdf"))).toEqual(["pdf"]);
  });
});

test("whatever the names are, each skill has one that installers accept", () => {
  const anyName = fc.oneof(
    fc.string({ unit: "grapheme", minLength: 1 }),
    fc.constantFrom("a b", "a-b", "A B", "-", "a".repeat(99)),
  );
  fc.assert(
    fc.property(fc.uniqueArray(anyName, { maxLength: 12 }), (all) => {
      const catalog = buildCatalog(all.map((name) => skill(name)));
      const published = publishNames(catalog);
      expect(published.size).toBe(catalog.entries.length);
      for (const name of published.keys()) expect(name).toMatch(/^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/);
    }),
  );
});
