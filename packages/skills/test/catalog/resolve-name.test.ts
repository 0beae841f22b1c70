import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/support/refused.ts";
import { exactnessOf, lookUp, resolveName } from "../../src/catalog/catalog.ts";
import type { Skill } from "../../src/skill/skill.ts";
import { catalogOf, fromPlugin, plain } from "./entries.ts";

const file = plain("file", "pdf");
const agents = plain("agents", "pdf");
const claude = plain("claude", "pdf");
const codex = plain("codex", "pdf");
const office = fromPlugin("office", "pdf");
const example = fromPlugin("example-skills", "pdf");
const everywhere = [file, agents, claude, codex, office, example];

describe("an exact qualified name loads its skill, whatever else is called so", () => {
  test.each<[string, Skill]>([
    ["file:pdf", file],
    ["agents:pdf", agents],
    ["claude:pdf", claude],
    ["codex:pdf", codex],
    ["office:pdf", office],
    ["example-skills:pdf", example],
    ["claude:example-skills:pdf", example],
    ["CODEX:Pdf", codex],
    ["Claude:Example-Skills:PDF", example],
    ["  codex:pdf  ", codex],
  ])("%s", (name, skill) => {
    expect(resolveName(catalogOf(...everywhere), name).skill).toBe(skill);
  });
});

describe("a short name", () => {
  test.each<[string, Skill[], Skill]>([
    ["loads the named folder's skill before all others", everywhere, file],
    ["loads that of .agents before the other providers", [agents, claude, codex], agents],
    ["loads the only skill of the other providers", [codex], codex],
    ["loads a plain skill, never a plugin's", [claude, office], claude],
    ["loads a plain skill though a plugin's was seen first", [office, claude], claude],
    ["loads the only plugin's skill", [office], office],
    ["loads the first of the named folder's and .agents' skills", [agents, file, claude], agents],
  ])("%s", (_, sightings, skill) => {
    const catalog = catalogOf(...sightings);
    for (const typed of ["pdf", "PDF", " Pdf\n"]) expect(resolveName(catalog, typed).skill).toBe(skill);
  });

  test.each<[string, Skill[], string[]]>([
    ["N4: two other providers have it", [claude, codex], ["claude:pdf", "codex:pdf"]],
    ["three have it", [claude, codex, plain("cursor", "PDF")], ["claude:pdf", "codex:pdf", "cursor:PDF"]],
    ["two plugins have it", [office, example], ["office:pdf", "example-skills:pdf"]],
    ["plugins do not count beside plain skills", [office, claude, codex], ["claude:pdf", "codex:pdf"]],
  ])("is ambiguous and names each way out when %s", (_, sightings, candidates) => {
    const catalog = catalogOf(...sightings);
    const refusal = refusalOf(() => resolveName(catalog, "pdf"));
    expect(refusal.detail).toEqual({ code: "ambiguous-skill", name: "pdf", candidates });
    expect(refusal.message).toContain(candidates.join(", "));
    const loaded = candidates.map((name) => resolveName(catalog, name).skill);
    expect(new Set(loaded).size).toBe(candidates.length);
  });
});

test("a provider's name finds the skill of its plugin when it has no plain one", () => {
  expect(resolveName(catalogOf(office), "claude:pdf").skill).toBe(office);
  const withColon = fromPlugin("office", "pdf:forms");
  expect(resolveName(catalogOf(withColon), "claude:pdf:forms").skill).toBe(withColon);
});

test("a provider's name is ambiguous when several of its plugins have the skill", () => {
  const refusal = refusalOf(() => resolveName(catalogOf(office, example), "claude:pdf"));
  expect(refusal.detail).toMatchObject({ candidates: ["office:pdf", "example-skills:pdf"] });
});

test("a provider's name does not find the plugin skill of another provider", () => {
  const refusal = refusalOf(() => resolveName(catalogOf(office), "codex:pdf"));
  expect(refusal.detail).toMatchObject({ code: "unknown-skill", suggestions: ["office:pdf"] });
});

describe("a plugin called like a provider", () => {
  const impostor = fromPlugin("codex", "pdf");

  test("does not hide the provider's own skill", () => {
    const catalog = catalogOf(impostor, codex);
    expect(resolveName(catalog, "codex:pdf").skill).toBe(codex);
    expect(resolveName(catalog, "claude:codex:pdf").skill).toBe(impostor);
  });

  test("is offered by the name that loads it, not by the provider's", () => {
    const catalog = catalogOf(codex, impostor, office);
    const { detail } = refusalOf(() => resolveName(catalog, "claude:pdf"));
    const offered = "candidates" in detail ? detail.candidates : [];
    expect(offered.map((name) => resolveName(catalog, name).skill)).toEqual([impostor, office]);
  });

  test("answers to its own name where the provider has no such skill", () => {
    expect(resolveName(catalogOf(impostor), "codex:pdf").skill).toBe(impostor);
  });
});

describe("a skill whose own name holds a colon", () => {
  const odd = plain("agents", "codex:pdf");

  test("loads by that name when nothing else is called so", () => {
    expect(resolveName(catalogOf(odd), "codex:pdf").skill).toBe(odd);
  });

  test("steps back behind an exact qualified name and keeps its own", () => {
    const catalog = catalogOf(odd, codex);
    expect(resolveName(catalog, "codex:pdf").skill).toBe(codex);
    expect(resolveName(catalog, "agents:codex:pdf").skill).toBe(odd);
  });
});

test.each(["İstanbul", "straße", "école", "e\u0301cole", "日本語", "ﬁle", "name with spaces"])(
  "the name %s loads in upper and lower case and in both normal forms",
  (name) => {
    const catalog = catalogOf(plain("agents", name));
    for (const typed of [name, name.normalize("NFD"), name.normalize("NFC"), name.toLowerCase()]) {
      expect(resolveName(catalog, typed).skill.name).toBe(name);
    }
  },
);

test.each([
  ["../pdf", "'/'"],
  ["a/b", "'/'"],
  ["a\\b", "'\\'"],
  ["..", "'..'"],
  ["pdf..", "'..'"],
  ["pdf\0", "a NUL character"],
  ["claude:../../etc/passwd", "'/'"],
])("the name %j is refused because it holds %s", (typed, part) => {
  const refusal = refusalOf(() => resolveName(catalogOf(claude), typed));
  expect(refusal.detail).toEqual({ code: "invalid-name", name: typed });
  expect(refusal.message).toContain(part);
});

test.each(["", "   ", "nothing-like-it", "claude:", ":pdf", ":", "codex:pdf", "__proto__", "constructor"])(
  "the name %j is unknown",
  (typed) => {
    const refusal = refusalOf(() => resolveName(catalogOf(claude), typed));
    expect(refusal.detail).toMatchObject({ code: "unknown-skill", name: typed.trim() });
  },
);

test("resolveName: quotes a hostile name on one short line", () => {
  const refusal = refusalOf(() => resolveName(catalogOf(claude), `x\n\u001B[2J${"y".repeat(100_000)}`));
  expect(refusal.message).not.toMatch(/\p{Cc}/u);
  expect(refusal.message.length).toBeLessThan(300);
});

test.each([
  [200, "y".repeat(200)],
  [201, `${"y".repeat(200)}…`],
])("of an unknown name of %i letters, 200 are told", (length, told) => {
  const refusal = refusalOf(() => resolveName(catalogOf(claude), "y".repeat(length)));
  expect(refusal.message).toBe(`Skill '${told}' not found.`);
});

test.each<[string, string, number | undefined]>([
  ["a full name", "claude:pdf", 0],
  ["a short name of a named folder", "in-file", 1],
  ["one of .agents", "in-agents", 2],
  ["one of another provider", "in-claude", 3],
  ["one that several have", "pdf", 3],
  ["one of a plugin", "in-office", 4],
  ["a plugin's by its provider", "claude:in-office", 4],
  ["one that nothing has", "nope", undefined],
])("how exactly %s means its skill follows the order in which names are looked up", (_, typed, expected) => {
  const skills = [
    ...["file", "agents", "claude"].map((provider) => plain(provider, `in-${provider}`)),
    fromPlugin("office", "in-office"),
    claude,
    codex,
  ];
  expect(exactnessOf(catalogOf(...skills).names, typed)).toBe(expected);
});

test("N5: loading xlxs with xlsx present suggests xlsx", () => {
  const catalog = catalogOf(plain("claude", "xlsx"), plain("claude", "pdf"), fromPlugin("office", "docx"));
  expect(refusalOf(() => resolveName(catalog, "xlxs"))).toMatchObject({
    detail: { code: "unknown-skill", name: "xlxs", suggestions: ["xlsx"] },
  });
});

describe("a name of more than 1,000 characters", () => {
  test("is unknown at once: no part of it is looked up", () => {
    const { names } = catalogOf(...everywhere);
    let asked = 0;
    const counting = {
      ofQualified: names.ofQualified,
      byName: new Proxy(names.byName, {
        get: (map, method) => (key: string) => {
          asked++;
          return (Reflect.get(map, method) as (key: string) => unknown).call(map, key);
        },
      }),
    };
    expect(lookUp(counting, ":".repeat(1_000))).toEqual({ kind: "unknown" });
    expect(asked).toBeGreaterThan(0);
    asked = 0;
    let qualified = 0;
    const watched = { ...counting, ofQualified: () => void qualified++ };
    expect(lookUp(watched, ":".repeat(900_000))).toEqual({ kind: "unknown" });
    expect([asked, qualified]).toEqual([0, 0]);
  });

  test("is repeated in short, and nothing is suggested", () => {
    const refusal = refusalOf(() => resolveName(catalogOf(...everywhere), `pdf${":".repeat(900_000)}`));
    expect(refusal.detail).toMatchObject({ code: "unknown-skill", suggestions: [] });
    expect(JSON.stringify([refusal.message, refusal.detail]).length).toBeLessThan(2_000);
  });
});
