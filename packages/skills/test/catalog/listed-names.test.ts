import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/support/refused.ts";
import { rounds } from "../../../../test/support/rounds.ts";
import { buildCatalog, resolveName } from "../../src/catalog/catalog.ts";
import type { Skill } from "../../src/skill/skill.ts";
import { catalogOf, fromPlugin, listedNames, plain } from "./entries.ts";

const agents = plain("agents", "pdf");
const claude = plain("claude", "pdf");
const codex = plain("codex", "pdf");
const office = fromPlugin("office", "pdf");

describe("in listings", () => {
  test.each<[string, Skill[], string[]]>([
    ["a skill goes by its short name when that loads it", [claude], ["pdf"]],
    ["the first match keeps the short name", [agents, claude], ["claude:pdf", "pdf"]],
    ["ambiguous skills go by their qualified names", [claude, codex], ["claude:pdf", "codex:pdf"]],
    ["a plugin's skill goes by its plugin though it is alone", [office], ["office:pdf"]],
    ["a plain skill keeps its short name beside a plugin's", [office, claude], ["pdf", "office:pdf"]],
    ["names keep their own case", [plain("claude", "PDF-Tools")], ["PDF-Tools"]],
    [
      "a plugin called like a provider goes by its longer name",
      [codex, fromPlugin("codex", "pdf")],
      ["pdf", "claude:codex:pdf"],
    ],
    [
      "a name that holds a colon steps back behind a qualified one",
      [plain("agents", "codex:pdf"), claude, codex],
      ["agents:codex:pdf", "claude:pdf", "codex:pdf"],
    ],
    [
      "a plugin's skill whose every name another skill claims still has one of its own",
      [codex, plain("claude", "codex:pdf"), fromPlugin("codex", "pdf")],
      ["claude:codex:pdf", "pdf", expect.stringMatching(/codex.*pdf/) as string],
    ],
    [
      "skills of two plugins whose names run together each have a name of their own",
      [fromPlugin("a", "b:pdf"), fromPlugin("a:b", "pdf")],
      ["a:b:pdf", expect.stringMatching(/a:b.*pdf/) as string],
    ],
  ])("%s", (_, sightings, names) => {
    const catalog = catalogOf(...sightings);
    expect(listedNames(catalog)).toEqual(names);
    for (const entry of catalog.entries) expect(resolveName(catalog, entry.listedAs)).toBe(entry);
  });
});

/** Few names, providers and folders, so that they collide in every way. */
function sightings(names: readonly string[], plugins: readonly string[]) {
  const provider = fc.constantFrom("file", "agents", "claude", "codex");
  const location = fc.constantFrom("project" as const, "user" as const);
  const name = fc.constantFrom(...names);
  const realDir = fc.integer({ min: 0, max: 25 }).map((folder) => `/real/${folder}`);
  const aPlain = fc
    .record({ provider, name, location, realDir })
    .map(({ provider, name, ...more }) => plain(provider, name, more));
  const aPlugin = fc
    .record({ plugin: fc.constantFrom(...plugins), name, realDir })
    .map(({ plugin, name, realDir }) => fromPlugin(plugin, name, { realDir }));
  return fc.array(fc.oneof(aPlain, aPlugin), { maxLength: 14 });
}

describe.each([
  [
    "ordinary names",
    sightings(["pdf", "PDF", "git", "école", "E\u0301COLE"], ["office", "Office", "example"]),
  ],
  ["plugins called like a provider", sightings(["pdf", "git"], ["codex", "claude", "agents", "office"])],
  [
    "names that hold colons",
    sightings(["pdf", "codex:pdf", "claude:codex:pdf", "a:b"], ["codex", "a", "x:y"]),
  ],
])("for any sightings with %s", (_, generated) => {
  test("every skill is listed under a name of its own that loads it", () => {
    fc.assert(
      fc.property(generated, (seen) => {
        const catalog = buildCatalog(seen);
        expect(new Set(listedNames(catalog)).size).toBe(catalog.entries.length);
        for (const entry of catalog.entries) expect(resolveName(catalog, entry.listedAs)).toBe(entry);
      }),
      rounds(200),
    );
  });

  test("every sighting ends up exactly once: served, shadowed or seen again", () => {
    fc.assert(
      fc.property(generated, (seen) => {
        const { entries } = buildCatalog(seen);
        const all = entries.flatMap((entry) => [entry.skill, ...entry.shadowed, ...entry.alsoSeen]);
        expect(all).toHaveLength(seen.length);
        expect(new Set(all)).toEqual(new Set(seen));
        for (const { skill, alsoSeen } of entries) {
          for (const again of alsoSeen) expect(again.realDir).toBe(skill.realDir);
        }
      }),
      rounds(120),
    );
  });

  test("the same sightings always make the same catalog", () => {
    fc.assert(
      fc.property(generated, (seen) => {
        const copy = seen.map((skill) => ({ ...skill }));
        expect(buildCatalog(copy).entries).toEqual(buildCatalog(seen).entries);
      }),
    );
  });

  test("a short name loads a skill of that name, or names every candidate, each of which loads", () => {
    fc.assert(
      fc.property(generated, fc.constantFrom("pdf", "git", "école"), (seen, typed) => {
        const catalog = buildCatalog(seen);
        const named = catalog.entries.filter(({ skill }) => isCalled(skill, typed));
        const isOrdered = named.some(({ skill }) => /^(file|agents)$/.test(skill.provider));
        const plains = named.filter(({ skill }) => skill.plugin === undefined);
        const rivals = plains.length > 0 ? plains : named;
        if (named.length === 0) {
          expect(refusalOf(() => resolveName(catalog, typed)).detail.code).toBe("unknown-skill");
        } else if (isOrdered || rivals.length === 1) {
          expect(isCalled(resolveName(catalog, typed).skill, typed)).toBe(true);
        } else {
          const { detail } = refusalOf(() => resolveName(catalog, typed));
          const candidates = "candidates" in detail ? detail.candidates : [];
          expect(candidates).toHaveLength(rivals.length);
          expect(new Set(candidates.map((name) => resolveName(catalog, name)))).toEqual(new Set(rivals));
        }
      }),
      rounds(120),
    );
  });
});

function isCalled(skill: Skill, name: string): boolean {
  return skill.name.normalize("NFC").toLowerCase() === name;
}
