import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nameKey } from "#util/pure";
import { rounds } from "../../../../test/support/rounds.ts";
import {
  buildCatalog,
  type Catalog,
  type Entry,
  fullName,
  qualifiedNames,
} from "../../src/catalog/catalog.ts";
import type { Skill } from "../../src/skill/skill.ts";
import { fromPlugin, plain } from "./entries.ts";

/** The obvious way: everyone claims all of their names in order, and the first to claim one keeps it. */
function claimedNames(catalog: Catalog, sightings: readonly Skill[]): ReadonlyMap<string, Entry> {
  const claimed = new Map<string, Entry>();
  const inOrder = [...catalog.entries].sort(
    (a, b) => sightings.indexOf(a.skill) - sightings.indexOf(b.skill),
  );
  const plainFirst = [
    ...inOrder.filter(({ skill }) => skill.plugin === undefined),
    ...inOrder.filter(({ skill }) => skill.plugin !== undefined),
  ];
  const claim = (skill: Skill, entry: Entry): void => {
    for (const name of qualifiedNames(skill)) {
      if (!claimed.has(nameKey(name))) claimed.set(nameKey(name), entry);
    }
  };
  for (const entry of plainFirst) claim(entry.skill, entry);
  for (const entry of plainFirst) for (const alias of entry.alsoSeen) claim(alias, entry);
  return claimed;
}

const name = fc.constantFrom(
  "pdf",
  "PDF",
  "a:pdf",
  "claude:pdf",
  ":pdf",
  "pdf:",
  "a:b:pdf",
  "ΣΑΣ",
  "\u0301e",
);
const dir = fc.option(fc.constantFrom("/one", "/two"), { nil: undefined });
const skill = fc
  .tuple(
    fc.constantFrom("claude", "codex", "agents", "a"),
    fc.constantFrom(undefined, "a", "b", ":c"),
    name,
    dir,
  )
  .map(([provider, plugin, called, realDir]) => {
    const more = realDir === undefined ? {} : { realDir };
    return plugin === undefined ? plain(provider, called, more) : fromPlugin(plugin, called, more);
  });

test("a qualified name points at the first skill that claims it", () => {
  fc.assert(
    fc.property(fc.array(skill, { maxLength: 12 }), (sightings) => {
      const catalog = buildCatalog(sightings);
      const claimed = claimedNames(catalog, sightings);
      for (const [key, entry] of claimed) expect(catalog.names.ofQualified(key), key).toBe(entry);
      for (const other of ["pdf", "x:pdf", "a", ":", "", "claude:"])
        expect(catalog.names.ofQualified(other)).toBe(claimed.get(other));
    }),
    rounds(400),
  );
});

test.each<[string, Skill, readonly string[]]>([
  ["a plain skill", plain("codex", "pdf"), ["codex:pdf"]],
  [
    "a plugin's skill",
    fromPlugin("office", "pdf"),
    ["office:pdf", "claude:office:pdf", "claude:office@market:pdf"],
  ],
])(
  "the qualified names of %s are those, shortest first, and the last one is its full name",
  (_, of, names) => {
    expect(qualifiedNames(of)).toEqual(names);
    expect(fullName(of)).toBe(names.at(-1));
  },
);
