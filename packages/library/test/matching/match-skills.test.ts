import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LibrarySkill } from "#skills";
import { rounds } from "../../../../test/support/rounds.ts";
import { createKeywordIndex } from "../../src/matching/keyword-index.ts";
import { matchSkills, type SkillMatch } from "../../src/matching/match-skills.ts";
import { tokenize } from "../../src/matching/tokenize.ts";
import { librarySkill } from "./library-skills.ts";
import { matchNaively } from "./naive-score.ts";

function match(skills: readonly LibrarySkill[], context: string, minScore = 0.2): readonly SkillMatch[] {
  return matchSkills(createKeywordIndex(skills), tokenize(context), { minScore });
}

/** The score of one skill with these keywords, and the keywords that matched. */
function scored(
  keywords: readonly string[],
  context: string,
  priority = 0,
): readonly [number, readonly string[]] {
  const [found] = match([librarySkill("x", { keywords, priority })], context, -10);
  return [found?.score ?? Number.NaN, found?.matchedKeywords ?? []];
}

describe("seed 004 §5.2: a token and a keyword", () => {
  test.each([
    ["react", "react", true, "exact"],
    ["authentication", "auth", true, "the token contains the keyword"],
    ["auth", "authentication", true, "the keyword contains the token"],
    ["react", "reactjs", true, "the keyword contains the token"],
    ["go", "golang", false, "a short token matches only exactly"],
    ["ts", "ts", true, "short and the same"],
    ["js", "json", false, "C7: js is not json"],
    ["golang", "go", false, "a short keyword matches only exactly"],
    ["json", "js", false, "a short keyword matches only exactly"],
    ["react", "vue", false, "different"],
    ["REACT", "React", true, "case does not count"],
    ["école", "ÉCOLE", true, "nor in other alphabets"],
    ["cre\u0301er", "Cr\u00e9er", true, "an accent is an accent, however it is written"],
    ["server-side", "server-side rendering", true, "keywords may be phrases"],
    ["rendering", "server-side rendering", true, "a phrase contains its words"],
    ["日本語ドキュメント", "日本語", true, "three characters may be a part"],
    ["日本語", "日本", false, "two characters may not"],
    ["日本", "日本", true, "two characters and the same"],
    ["𠮷𠮷𠮷", "𠮷𠮷", false, "characters are counted, not the units they take"],
    ["𠮷𠮷𠮷𠮷", "𠮷𠮷𠮷", true, "three characters of two units each"],
    ["react", "", false, "an empty keyword is in nothing"],
  ])("%s and %s: %s, %s", (context, keyword, isMatch) => {
    const [score, matched] = scored([keyword], context);
    expect(score).toBe(isMatch ? 1 : 0);
    expect(matched).toEqual(isMatch ? [keyword.toLowerCase().normalize("NFC")] : []);
  });
});

describe("a keyword with punctuation is compared with the words as they were written", () => {
  test.each([
    ["c++", "Fix my C++ build", true],
    ["C++", "is it c++?", true],
    ["c++", "write (c++), please", true],
    ["c++", "objective-c++", true],
    ["c++", "a c compiler", false],
    ["c++", "vc++", false],
    ["c++", "c++11", false],
    ["c+", "c++", false],
    ["c#", "a C# service", true],
    ["c#", "c#'s records", true],
    ["c#", "c code", false],
    ["ci/cd", "set up CI/CD.", true],
    ["ci/cd", "eine CI/CD-Pipeline", true],
    ["ci/cd", "the ci of cd players", false],
    ["i/o", "slow i/o", true],
    ["i/o", "mi/o", false],
    ["ui/ux", "UI/UX review", true],
    ["q&a", "a q&a page", true],
    ["q&a", "the q of a", false],
    [".net", "a .NET service.", true],
    [".net", "so it goes...net", true],
    ["@x", "@@x", false],
    ["@x", "mail a@x", false],
    ["c++ x", "old c++ x code", true],
    ["++", "a ++ b", false],
    ["a+\ud842", "a+𠮷", false],
  ])("%s in '%s': %s", (keyword, context, isMatch) => {
    expect(scored([keyword], context)[0]).toBe(isMatch ? 1 : 0);
  });

  test("only as far as the words of the context count", () => {
    const words = Array.from({ length: 1_000 }, (_, number) => `word${number}`).join(" ");
    expect(scored(["c#"], `c# ${words}`)[0]).toBe(1);
    expect(scored(["c#"], `${words} c#`)[0]).toBe(0);
  });
});

test("a short keyword is no part of a token, although a long one has its length and its beginning", () => {
  // Half a character, as broken text has it, makes three characters of four units.
  expect(scored(["𠮷𠮷", "𠮷\ud842a"], "𠮷𠮷𠮷")).toEqual([0, []]);
});

describe("seed 004 §5.2: a score", () => {
  test("is the share of keywords that match, which are told in their own order and in lower case", () => {
    expect(scored(["JWT", "Auth", "React", "Login"], "react authentication")).toEqual([
      0.5,
      ["auth", "react"],
    ]);
  });

  test("adds a thousandth for each point of priority", () => {
    expect(scored(["react", "auth"], "react", 50)[0]).toBe(0.5 + 50 * 0.001);
    expect(scored(["react", "auth"], "react", -50)[0]).toBe(0.5 - 50 * 0.001);
  });

  test("counts a keyword as often as it is listed", () => {
    expect(scored(["react", "React", "auth", "jwt"], "react")).toEqual([0.5, ["react", "react"]]);
  });

  test("does not grow with more tokens for one keyword", () => {
    expect(scored(["auth", "jwt"], "auth authentication authorize")).toEqual([0.5, ["auth"]]);
  });
});

describe("the skills that match", () => {
  const paths = (matches: readonly SkillMatch[]): readonly string[] => matches.map(({ skill }) => skill.path);

  test("come best first, and by path where they score the same", () => {
    const skills = [
      librarySkill("ui/b", { keywords: ["react", "jwt"] }),
      librarySkill("ui/B", { keywords: ["react", "jwt"] }),
      librarySkill("ui/a", { keywords: ["react", "jwt"] }),
      librarySkill("api/all", { keywords: ["react"] }),
      librarySkill("ui/first", { keywords: ["react", "jwt"], priority: 1 }),
    ];
    expect(paths(match(skills, "react"))).toEqual(["api/all", "ui/first", "ui/B", "ui/a", "ui/b"]);
  });

  test("reach the least score, exactly or by what is left of adding fractions", () => {
    const keywords = (share: number) =>
      Array.from({ length: 10 }, (_, at) => (at < share ? "react" : `none${at}`));
    const skills = [
      librarySkill("exactly", { keywords: keywords(2) }),
      librarySkill("below", { keywords: keywords(2), priority: -1 }),
      // 0.3 − 0.1 is 0.19999999999999998.
      librarySkill("lowered", { keywords: keywords(3), priority: -100 }),
      librarySkill("nothing", { keywords: ["vue"] }),
    ];
    expect(paths(match(skills, "react", 0.2)).toSorted()).toEqual(["exactly", "lowered"]);
  });

  test("S13: a skill without a matched keyword never wins, whatever its priority", () => {
    const skills = [
      librarySkill("greedy", { keywords: ["vue"], priority: 1_000_000 }),
      librarySkill("modest", { keywords: ["react", "jwt"], priority: -100 }),
    ];
    expect(paths(match(skills, "react", 0.2))).toEqual(["modest"]);
    expect(paths(match(skills, "react", 0))).toEqual(["modest", "greedy"]);
    expect(paths(match(skills, "nothing of it"))).toEqual([]);
  });

  test("are all of them when nothing is asked of the score", () => {
    const skills = [librarySkill("a"), librarySkill("b", { priority: -1 }), librarySkill("c")];
    expect(paths(match(skills, "", 0))).toEqual(["a", "b", "c"]);
  });

  test("are none in an empty library", () => {
    expect(match([], "react", 0)).toEqual([]);
  });

  test("may have very many keywords, or very long ones", () => {
    const many = Array.from({ length: 10_000 }, (_, number) => `keyword-${number}`);
    const long = `${"lorem ".repeat(20_000)}needle`;
    const skills = [
      librarySkill("many", { keywords: many }),
      librarySkill("long", { keywords: [long, "x"] }),
    ];
    expect(match(skills, "needle keyword-77").map(({ skill, score }) => [skill.path, score])).toEqual([
      ["long", 0.5],
    ]);
    const [, found] = match(skills, "needle keyword-9999 keyword-12", 0);
    // 12, 120 to 129 and 1200 to 1299, which hold the second token; 1, 9, 99, 999 and 9999, which a token holds.
    expect(found?.score).toBe(116 / 10_000);
  });
});

describe("the index answers what the plain loop answers", () => {
  // Few characters, so that words are often parts of each other; of one unit and of two, composed and not.
  const character = fc.constantFrom(
    "a",
    "b",
    "A",
    "é",
    "e\u0301",
    "-",
    " ",
    ".",
    "+",
    "日",
    "𠮷",
    "\ud842",
    "İ",
  );
  const text = (longest: number) => fc.string({ unit: character, maxLength: longest });
  const priority = fc.oneof(
    fc.constantFrom(0, 1, -1, 5, 100, -100, 200, 1_000, -5_000),
    fc.double({ noNaN: true, min: -1e6, max: 1e6 }),
  );
  const skills = fc
    .array(fc.record({ keywords: fc.array(text(7), { minLength: 1, maxLength: 6 }), priority }), {
      maxLength: 12,
    })
    .map((list) => list.map((each, at) => librarySkill(`${at % 3}/s${at}`, each)));
  const minScore = fc.constantFrom(0, 0.1, 0.2, 0.5, 1, -1);

  test("for contexts", () => {
    fc.assert(
      fc.property(skills, text(30), minScore, (list, context, least) => {
        const words = tokenize(context);
        const found = matchSkills(createKeywordIndex(list), words, { minScore: least });
        expect(found).toEqual(matchNaively(list, words, least));
      }),
      rounds(400),
    );
  });

  test("for any tokens, and again with the same index", () => {
    const words = fc.record({ tokens: fc.array(text(9), { maxLength: 6 }), raw: text(12) });
    fc.assert(
      fc.property(skills, words, words, minScore, (list, first, second, least) => {
        const index = createKeywordIndex(list);
        for (const asked of [first, second, first]) {
          expect(matchSkills(index, asked, { minScore: least })).toEqual(matchNaively(list, asked, least));
        }
      }),
      rounds(400),
    );
  });
});
