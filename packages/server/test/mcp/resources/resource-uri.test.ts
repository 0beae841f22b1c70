import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Skill } from "#skills";
import {
  parseResourceUri,
  skillRootUri,
  splitSkillAddress,
  uriBelow,
} from "../../../src/mcp/resources/resource-uri.ts";

const skill = (fields: Partial<Skill>): Skill => ({
  name: "pdf",
  description: "PDFs.",
  provider: "claude",
  location: "user",
  dir: "/shop/pdf",
  fileName: "SKILL.md",
  realDir: "/shop/pdf",
  ...fields,
});

describe("the URI of a skill", () => {
  test.each([
    ["a plain one", skill({}), "skill://claude/pdf"],
    ["of another provider", skill({ provider: "codex" }), "skill://codex/pdf"],
    [
      "a plugin's",
      skill({ plugin: { name: "office", marketplace: "m" } }),
      "skill://claude-plugin/office/pdf",
    ],
    ["with a blank and a colon", skill({ name: "My: Skill" }), "skill://claude/My%3A%20Skill"],
    ["in another script", skill({ name: "技能" }), "skill://claude/%E6%8A%80%E8%83%BD"],
    ["with half a character", skill({ name: "\ud800" }), undefined],
    ["that a reader would resolve away", skill({ name: "." }), undefined],
  ])("%s", (_what, given, uri) => {
    expect(skillRootUri(given)).toBe(uri);
  });

  test("names the skill and the file however it is spelled", () => {
    const uri = "skill://claude-plugin/office/pdf/refs/a%20b.md";
    expect(splitSkillAddress(parsed(uri))).toEqual({
      root: "skill://claude-plugin/office/pdf",
      names: ["refs", "a b.md"],
    });
    expect(splitSkillAddress(parsed("skill://claude/p%64f/SKILL.md#top")).root).toBe("skill://claude/pdf");
  });

  test.each(["", "pdf", "http://claude/pdf", "skill:///pdf", "skill://claude/%ff", "skill://claude/pdf?x=1"])(
    "%j is none of ours",
    (uri) => {
      expect(parseResourceUri(uri)).toBeUndefined();
    },
  );

  test("every path comes back as it was", () => {
    const name = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
      .filter((text) => text !== "." && text !== "..");
    fc.assert(
      fc.property(name, fc.array(name, { minLength: 1, maxLength: 3 }), (skillName, names) => {
        const root = skillRootUri(skill({ name: skillName }));
        const uri = uriBelow(root ?? "", names) ?? "";
        expect(splitSkillAddress(parsed(uri))).toEqual({ root, names });
      }),
    );
  });
});

function parsed(uri: string) {
  const address = parseResourceUri(uri);
  if (address === undefined) throw new Error(`${uri} is not a URI of ours`);
  return address;
}
