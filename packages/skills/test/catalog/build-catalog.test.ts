import { expect, test } from "vitest";
import { resolveName } from "../../src/catalog/catalog.ts";
import type { Skill } from "../../src/skill/skill.ts";
import { catalogOf, fromPlugin, listedNames, plain } from "./entries.ts";

const inProject = plain("claude", "pdf");
const inHome = plain("claude", "pdf", { location: "user" });

test("N1: of one name in two roots of a provider the higher one loads and the other is listed as shadowed", () => {
  const catalog = catalogOf(inProject, inHome);
  expect(catalog.entries).toHaveLength(1);
  expect(resolveName(catalog, "pdf")).toMatchObject({ skill: inProject, shadowed: [inHome], alsoSeen: [] });
});

test("N6: a named folder wins over a provider's, whatever else differs", () => {
  const named = plain("file", "pdf", { dir: "/x/pdf", realDir: "/x/pdf" });
  expect(resolveName(catalogOf(named, inProject), "pdf").skill).toBe(named);
});

test("every copy in lower roots is kept, in their order", () => {
  const third = plain("claude", "pdf", { dir: "/third", realDir: "/third" });
  expect(catalogOf(inProject, inHome, third).entries).toMatchObject([{ shadowed: [inHome, third] }]);
});

test.each<[string, Skill]>([
  ["case", plain("claude", "PDF", { location: "user" })],
  ["the Unicode form of letters", plain("claude", "ｐｄｆ", { location: "user" })],
])("identity does not depend on %s", (_, twin) => {
  expect(catalogOf(inProject, twin).entries).toMatchObject([{ skill: inProject, shadowed: [twin] }]);
});

test.each<[string, Skill]>([
  ["provider", plain("codex", "pdf")],
  ["plugin", fromPlugin("office", "pdf")],
  ["name", plain("claude", "pdf2")],
])("two skills that differ in %s are two skills", (_, other) => {
  const catalog = catalogOf(inProject, other);
  expect(catalog.entries.map((entry) => entry.shadowed)).toEqual([[], []]);
});

test("the same plugin skill from two marketplaces is one identity", () => {
  const first = fromPlugin("office", "pdf");
  const second = fromPlugin("office", "pdf", {
    plugin: { name: "office", marketplace: "other" },
    realDir: "/other",
  });
  expect(catalogOf(first, second).entries).toMatchObject([{ skill: first, shadowed: [second] }]);
});

test("a real folder seen through two providers is one skill that answers to both names", () => {
  const linked = plain("codex", "pdf", { realDir: inProject.realDir });
  const catalog = catalogOf(inProject, linked);
  expect(catalog.entries).toMatchObject([{ skill: inProject, alsoSeen: [linked], shadowed: [] }]);
  for (const name of ["pdf", "claude:pdf", "codex:pdf"]) {
    expect(resolveName(catalog, name).skill).toBe(inProject);
  }
});

test("N7: a real folder linked into two roots of one provider is listed once and shadows nothing", () => {
  const linked = plain("claude", "pdf", { location: "user", realDir: inProject.realDir });
  expect(catalogOf(inProject, linked).entries).toMatchObject([{ shadowed: [], alsoSeen: [linked] }]);
});

test("a real folder that a plugin ships and a provider links is one plain skill that answers to both", () => {
  const shipped = fromPlugin("office", "pdf", { realDir: inProject.realDir });
  const catalog = catalogOf(inProject, shipped);
  expect(listedNames(catalog)).toEqual(["pdf"]);
  expect(resolveName(catalog, "office:pdf").skill).toBe(inProject);
  expect(resolveName(catalog, "claude:office:pdf").skill).toBe(inProject);
});

test("a folder whose twin is shadowed can still be served through another provider", () => {
  const again = plain("codex", "pdf", { realDir: inHome.realDir });
  const catalog = catalogOf(inProject, inHome, again);
  expect(resolveName(catalog, "claude:pdf").skill).toBe(inProject);
  expect(resolveName(catalog, "codex:pdf").skill).toBe(again);
});

test("a link in a higher root shadows a lower skill of its identity, although it shows a folder seen before", () => {
  const original = plain("agents", "pdf");
  const linked = plain("claude", "pdf", { realDir: original.realDir });
  const catalog = catalogOf(original, linked, inHome);
  expect(resolveName(catalog, "claude:pdf").skill).toBe(original);
  expect(catalog.entries).toMatchObject([{ skill: original, alsoSeen: [linked], shadowed: [inHome] }]);
});

test("entries come named folders first, then project, user, repository and plugin skills, each by name", () => {
  const catalog = catalogOf(
    fromPlugin("a-plugin", "a"),
    plain("git", "a", { location: "repo" }),
    plain("agents", "d", { location: "user" }),
    plain("claude", "bb", { location: "user" }),
    plain("codex", "c"),
    plain("agents", "é"),
    plain("agents", "B"),
    plain("file", "z", { location: "user" }),
    plain("file", "y"),
  );
  expect(listedNames(catalog)).toEqual(["y", "z", "B", "c", "é", "bb", "d", "a", "a-plugin:a"]);
});

test("no sightings make an empty catalog", () => {
  expect(catalogOf().entries).toEqual([]);
});

test("the sightings that were handed in are left as they were", () => {
  const sightings = Object.freeze([Object.freeze(inHome), Object.freeze(inProject)]);
  expect(catalogOf(...sightings).entries).toMatchObject([{ skill: inHome, shadowed: [inProject] }]);
});
