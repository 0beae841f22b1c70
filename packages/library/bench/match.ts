import type { LibrarySkill } from "#skills";
import { grouped, type Section } from "../../../bench/bench.ts";
import { timed } from "../../../bench/measure.ts";
import { type BenchRow, rowOf } from "../../../bench/report/row.ts";
import { createKeywordIndex } from "../src/matching/keyword-index.ts";
import { matchSkills, type SkillMatch } from "../src/matching/match-skills.ts";
import { tokenize } from "../src/matching/tokenize.ts";
import { librarySkill } from "../test/matching/library-skills.ts";
import { matchNaively } from "../test/matching/naive-score.ts";

const SECTION = "Matching a library, in process";
const KEYWORDS_PER_SKILL = 20;
const MIN_SCORE = 0.2;
const MOST = 10_000;
/** How many words the contexts have: what an agent sends, and the longest that is sane. */
const CONTEXT_WORDS = [5, 40] as const;
const SYLLABLES =
  "re act or ion auth en ti ca tor com po nent data base que ry form test ing de ploy log".split(" ");

/** Finding the skill of a library for a task, against the rule as it is written down; the answers are compared. */
export const measureMatch: Section = async ({ options: { rounds, sizes }, progress }) => {
  const rows: BenchRow[] = [];
  for (const size of sizes.filter((size) => size >= 100 && size <= MOST)) {
    progress(`match: ${grouped(size)} skills`);
    const different = new Set([2_000, size * KEYWORDS_PER_SKILL]);
    for (const distinct of different) rows.push(...(await measureSize(rounds, size, distinct)));
  }
  return rows;
};

async function measureSize(rounds: number, size: number, distinct: number): Promise<readonly BenchRow[]> {
  const random = createRandom(size + distinct);
  const vocabulary = Array.from({ length: distinct }, () => word(random));
  const pick = (): string => vocabulary[Math.floor(random() * vocabulary.length)] ?? "";
  const skills: readonly LibrarySkill[] = Array.from({ length: size }, (_, number) =>
    librarySkill(`area-${number % 97}/skill-${number}`, {
      keywords: Array.from({ length: KEYWORDS_PER_SKILL }, pick),
      priority: number % 5,
    }),
  );
  const index = createKeywordIndex(skills);
  const rows: BenchRow[] = [];
  for (const words of CONTEXT_WORDS) {
    const ours: number[] = [];
    const floor: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const context = Array.from({ length: words }, () => (random() < 0.5 ? pick() : word(random))).join(" ");
      const answers: (readonly SkillMatch[])[] = [];
      ours.push(
        await timed(async () => answers.push(matchSkills(index, tokenize(context), { minScore: MIN_SCORE }))),
      );
      floor.push(await timed(async () => answers.push(matchNaively(skills, tokenize(context), MIN_SCORE))));
      assertSame(answers[0] ?? [], answers[1] ?? []);
    }
    rows.push(
      rowOf(SECTION, {
        id: `match.${words}.${distinct}.${size}`,
        name: `${words} words, ${grouped(distinct)} keywords, ${grouped(size)} skills`,
        unit: "ms",
        floorName: "every keyword in a plain loop",
        samples: { ours, floor },
      }),
    );
  }
  return rows;
}

function assertSame(answer: readonly SkillMatch[], expected: readonly SkillMatch[]): void {
  const text = (matches: readonly SkillMatch[]): string =>
    JSON.stringify(matches.map(({ skill, score, matchedKeywords }) => [skill.path, score, matchedKeywords]));
  if (text(answer) !== text(expected))
    throw new Error("The index and the plain loop give different answers.");
}

/** Two to four of few syllables, so that words hold each other more often than real ones do; sometimes hyphens. */
function word(random: () => number): string {
  const length = 2 + Math.floor(random() * 3);
  const parts = Array.from({ length }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)] ?? "");
  return parts.join(random() < 0.1 ? "-" : "");
}

/** A small generator of even numbers, the same ones every time. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
