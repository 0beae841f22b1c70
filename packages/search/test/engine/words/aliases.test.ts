import { expect, test } from "vitest";
import { ALIASES } from "../../../src/engine/words/aliases.ts";

const written = (phrase: string) => ALIASES.get(phrase)?.map((alias) => `${alias.phrase} ${alias.share}`);

test.each([
  ["a short form", "k8s", ["kubernetes 0.9"]],
  ["one of three names", "postgresql", ["postgres 0.9", "psql 0.9"]],
  ["a phrase of several words", "pull request", ["pr 0.9"]],
  ["a related word", "delete", ["remove 0.3"]],
  [
    "a word of two lines",
    "price",
    ["cheap 0.3", "discount 0.3", "deal 0.3", "coupon 0.3", "cost 0.3", "budget 0.3", "expense 0.3"],
  ],
  ["a word that has a short form and related words", "photo", ["photograph 0.9", "picture 0.3", "image 0.3"]],
  ["a word of no line", "zebra", undefined],
])("%s has the others of its lines for a share of its weight", (_what, phrase, aliases) => {
  expect(written(phrase)).toEqual(aliases);
});

test("aliases go both ways, and no phrase is its own", () => {
  const all = [...ALIASES].flatMap(([phrase, aliases]) => aliases.map((alias) => ({ phrase, alias })));
  const isMutual = ({ phrase, alias }: (typeof all)[number]): boolean =>
    alias.phrase !== phrase &&
    ALIASES.get(alias.phrase)?.some((back) => back.phrase === phrase && back.share === alias.share) === true;
  expect(all.length).toBeGreaterThan(500);
  expect(all.filter((one) => !isMutual(one))).toEqual([]);
});
