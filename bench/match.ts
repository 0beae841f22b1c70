// What does it cost to find the skill of a library for a task, against the rule as it is written down?
import { createKeywordIndex } from "../src/catalog/library/keyword-index.ts";
import type { LibrarySkill } from "../src/catalog/library/library.ts";
import { matchSkills, type SkillMatch } from "../src/catalog/library/match-skills.ts";
import { tokenize } from "../src/catalog/library/tokenize.ts";
import { librarySkill } from "../test/catalog/library/library-skills.ts";
import { matchNaively } from "../test/catalog/library/naive-score.ts";
import { readArguments } from "./arguments.ts";
import { figure, interleave, median, percentile, type Row, ratio, table, timed } from "./measure.ts";

const KEYWORDS_PER_SKILL = 20;
const MIN_SCORE = 0.2;
/** How many words the contexts have: what an agent sends, what a person pastes, and the longest that is sane. */
const CONTEXT_WORDS = [5, 15, 40] as const;
const SYLLABLES =
  "re act or ion auth en ti ca tor com po nent data base que ry form test ing de ploy log".split(" ");

const { rounds, sizes } = readArguments({ rounds: 11, sizes: [100, 1_000, 10_000] });

const rows: Row[] = [];
for (const size of sizes.filter((size) => size > 0)) {
  for (const distinct of new Set([2_000, size * KEYWORDS_PER_SKILL])) {
    await measure(
      `${size} skills × ${KEYWORDS_PER_SKILL} keywords, up to ${distinct} different ones`,
      size,
      distinct,
    );
  }
}

console.log(`Matching a context in ms, ${rounds} interleaved rounds; the answers are compared in each\n`);
console.log(table(["", "median", "p90", "to the index"], rows));

async function measure(heading: string, size: number, distinct: number): Promise<void> {
  const random = createRandom(size + distinct);
  const vocabulary = Array.from({ length: distinct }, () => word(random));
  const pick = (): string => vocabulary[Math.floor(random() * vocabulary.length)] ?? "";
  const skills: readonly LibrarySkill[] = Array.from({ length: size }, (_, number) =>
    librarySkill(`area-${number % 97}/skill-${number}`, {
      keywords: Array.from({ length: KEYWORDS_PER_SKILL }, pick),
      priority: number % 5,
    }),
  );
  let index = createKeywordIndex([]);
  const buildMs = await timed(async () => {
    index = createKeywordIndex(skills);
  });
  rows.push({ heading: `${heading} (the index is built in ${figure(buildMs)} ms)` });
  for (const words of CONTEXT_WORDS) {
    const contexts = Array.from({ length: rounds }, () =>
      Array.from({ length: words }, () => (random() < 0.5 ? pick() : word(random))).join(" "),
    );
    const answers = { index: [] as (readonly SkillMatch[])[], naive: [] as (readonly SkillMatch[])[] };
    const ask = (list: (readonly SkillMatch[])[], answer: (context: string) => readonly SkillMatch[]) => () =>
      timed(async () => {
        list.push(answer(contexts[list.length] ?? ""));
      });
    const samples = await interleave(rounds, [
      {
        name: `index, ${words} words`,
        measure: ask(answers.index, (context) =>
          matchSkills(index, tokenize(context), { minScore: MIN_SCORE }),
        ),
      },
      {
        name: `every keyword, ${words} words`,
        measure: ask(answers.naive, (context) => matchNaively(skills, tokenize(context), MIN_SCORE)),
      },
    ]);
    for (const [round, answer] of answers.index.entries()) assertSame(answer, answers.naive[round] ?? []);
    const base = median([...samples.values()][0] ?? []);
    for (const [name, values] of samples) {
      rows.push([name, figure(median(values)), figure(percentile(values, 0.9)), ratio(median(values), base)]);
    }
  }
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
