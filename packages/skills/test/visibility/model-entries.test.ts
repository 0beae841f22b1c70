import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/support/refused.ts";
import { resolveName } from "../../src/catalog/catalog.ts";
import { USUAL } from "../../src/skill/invocation.ts";
import { modelEntries } from "../../src/visibility/listed-skills.ts";
import { catalogOf, plain } from "../catalog/entries.ts";

const PDF = plain("claude", "pdf");
const SECRET = plain("claude", "deploy", { invocation: { ...USUAL, model: false } });
const FRIDAY = plain("claude", "release", {
  description: "Releases.",
  invocation: { ...USUAL, whenToUse: "On Fridays." },
});

describe("the list for models", () => {
  test("is the catalog itself when no author says anything", () => {
    const catalog = catalogOf(PDF);
    expect(modelEntries(catalog)).toBe(catalog.entries);
  });

  test("has no skill that is not for models, and says when to use the rest", () => {
    const entries = modelEntries(catalogOf(PDF, SECRET, FRIDAY));
    expect(entries.map(({ listedAs, skill }) => [listedAs, skill.description])).toEqual([
      ["pdf", "Does pdf."],
      ["release", "Releases. - On Fridays."],
    ]);
  });

  test("includes what is for models alone", () => {
    const catalog = catalogOf(plain("claude", "style", { invocation: { ...USUAL, user: false } }));
    expect(modelEntries(catalog)).toEqual(catalog.entries);
  });
});

test("a skill that is not for models loads by its name and is suggested to people alone", () => {
  const catalog = catalogOf(PDF, SECRET);
  expect(resolveName(catalog, "Deploy", "models").skill).toBe(SECRET);
  expect(refusalOf(() => resolveName(catalog, "deplo", "models")).detail).toMatchObject({ suggestions: [] });
  expect(refusalOf(() => resolveName(catalog, "deplo")).detail).toMatchObject({ suggestions: ["deploy"] });
});
