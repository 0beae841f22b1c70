import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findCollisions } from "../../../src/engine/evals/collisions.ts";
import {
  type EvalCorpus,
  evaluateCases,
  totalsOf,
  withoutPrompt,
} from "../../../src/engine/evals/evaluate.ts";
import { separateSkills, thinDescriptions } from "../../../src/engine/evals/separate.ts";
import { runToEnd } from "../../../src/engine/steps.ts";
import { doc } from "../corpora.ts";
import { corpusOf, type Given, resultOf } from "./eval-corpus.ts";

const evaluate = (corpus: EvalCorpus) => runToEnd(evaluateCases(corpus, corpus.skills));

describe("a prompt", () => {
  const PDF = { name: "pdf-forms", description: "Fills in PDF forms with fields and signatures." };
  const CHARTS = { name: "charts", description: "Draws charts and diagrams of numbers." };

  test("that only its own example would find is not found", () => {
    const corpus = corpusOf([{ ...PDF, prompts: ["zyzzyva quokka"] }, CHARTS]);
    const [result] = evaluate(corpus);
    expect(result).toMatchObject({ rank: undefined, isAboveFloor: false, passed: false });
  });

  test("that another example helps is found by it", () => {
    const corpus = corpusOf([
      { ...PDF, prompts: ["complete the tax papers", "tax papers of my company"] },
      CHARTS,
    ]);
    expect(evaluate(corpus).map(({ rank }) => rank)).toEqual([1, 1]);
  });

  test("the prompt is left out of the examples however it is written, and nothing else is", () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{2,6}( [a-z]{2,6}){1,4}$/), { maxLength: 6 }),
        (examples) => {
          const document = { id: "a", name: "a", description: "", keywords: [], examples, body: "" };
          for (const example of examples) {
            const left = withoutPrompt(
              document,
              `  ${example.toUpperCase().replaceAll(" ", "\n")} `,
            ).examples;
            expect(left).not.toContain(example);
            for (const other of examples) {
              if (!example.startsWith(other)) expect(left).toContain(other);
            }
          }
          expect(withoutPrompt(document, "something else entirely")).toBe(document);
        },
      ),
    );
  });
});

describe("the result of a prompt", () => {
  /** Each has a longer description than the one before, and so a lower rank. */
  const herd = (size: number): readonly Given[] =>
    Array.from({ length: size }, (_, number) => ({
      name: `herd-${String(number).padStart(2, "0")}`,
      description: `Zebra${" filler".repeat(number)}.`,
    }));
  const resultIn = (...given: readonly Given[]) => evaluate(corpusOf(given))[0];

  test("a prompt at rank 1 above the floor passes, with nothing ahead", () => {
    expect(resultIn({ name: "pdf", description: "Fills forms.", prompts: ["fill a form"] })).toEqual({
      ...{ prompt: "fill a form", shouldTrigger: true, source: "examples", skill: "pdf" },
      ...{ rank: 1, isAboveFloor: true, ahead: [], passed: true },
    });
  });

  test.each([
    ["at rank 1", "Fills forms.", { rank: 1, isAboveFloor: true, passed: false }],
    ["not found at all", "Draws diagrams.", { rank: undefined, isAboveFloor: false, passed: true }],
  ])("for other skills passes unless it is at rank 1: %s", (_what, description, expected) => {
    const result = resultIn({ name: "pdf", description, negatives: ["fill a form"] });
    expect(result).toMatchObject({ shouldTrigger: false, ...expected });
  });

  test.each([1, 2, 3, 4])("behind %i others has three of them ahead at most", (count) => {
    const last = { name: "last", description: `Zebra${" filler".repeat(count + 3)}.`, prompts: ["zebra"] };
    const ahead = herd(count).map(({ name }) => name);
    expect(resultIn(last, ...herd(count))).toMatchObject({
      ...{ rank: count + 1, isAboveFloor: true, ahead: ahead.slice(0, 3), passed: false },
    });
  });

  test.each([0, 1, 2, 3, 4])("that finds only %i others has three of them ahead at most", (count) => {
    const lost = { name: "lost", description: "Draws diagrams.", prompts: ["zebra"] };
    const ahead = herd(count).map(({ name }) => name);
    expect(resultIn(lost, ...herd(count))).toMatchObject({
      ...{ rank: undefined, isAboveFloor: false, ahead: ahead.slice(0, 3), passed: false },
    });
  });

  test("a prompt has a rank up to 25", () => {
    const last = { name: "last", description: `Zebra${" filler".repeat(40)}.`, prompts: ["zebra"] };
    expect(resultIn(last, ...herd(24))?.rank).toBe(25);
    expect(resultIn(last, ...herd(25))?.rank).toBeUndefined();
  });

  test("a prompt at rank 1 below the floor does not pass", () => {
    const one = {
      name: "one",
      description: "Looks after a zebra.",
      prompts: ["tell me of zebra and jaguar stripes"],
    };
    const others = Array.from({ length: 30 }, (_, number) => ({
      name: `other-${number}`,
      description: "Draws diagrams.",
      body: "A zebra among numbers. ".repeat(20),
    }));
    expect(resultIn(one, ...others)).toMatchObject({ rank: 1, isAboveFloor: false, passed: false });
  });
});

test.each<[string, string, string, boolean]>([
  ["is the prompt is left out", "Fill a form", "fill  a form", false],
  ["is the beginning of the prompt is left out, as long examples are cut", "fill a", "fill a form", false],
  ["is the end of the prompt stays", "a form", "fill a form", true],
  ["says more than the prompt stays", "fill a form", "fill a", true],
])("an example that %s", (_what, example, prompt, stays) => {
  const document = doc("pdf", { examples: [example, "something else"] });
  const { examples } = withoutPrompt(document, prompt);
  expect(examples).toEqual(stays ? document.examples : ["something else"]);
});

test("totals count the prompts that did what they should", () => {
  const found = (rank: number, isAboveFloor = true) =>
    resultOf("pdf", { rank, isAboveFloor, passed: rank === 1 && isAboveFloor });
  const lost = resultOf("pdf", { rank: undefined, isAboveFloor: false, passed: false });
  const other = (passed: boolean) => resultOf("pdf", { shouldTrigger: false, passed });
  const results = [
    ...[found(1), found(1, false), found(2), found(5), found(5), found(6), lost, lost, lost],
    ...[other(true), other(true), other(false)],
  ];
  expect(totalsOf(results)).toEqual({
    ...{ prompts: 9, rank1: 2, top5: 5, aboveFloor: 5, negatives: 3, negativesPassed: 2, passed: 3 },
  });
});

const BOTH: readonly Given[] = [
  {
    name: "expense-reports",
    description: "Checks reports of costs.",
    prompts: ["file the receipts of my journey", "receipts of the journey and the hotel"],
    body: "Receipts, hotel, journey, per diem.",
  },
  {
    name: "cost-reports",
    description: "Checks reports of costs and the journey of budgets.",
    prompts: ["report the costs of the budget"],
    body: "Budget, forecast, quarter.",
  },
  { name: "charts", description: "Draws charts and diagrams of many numbers with labels and colours." },
];

test("two skills that share words collide, and words of one side separate them", () => {
  const corpus = corpusOf(BOTH);
  const results = evaluate(corpus);
  const collisions = findCollisions(corpus, results);
  expect(collisions.map(({ first, second }) => [first, second])).toContainEqual([
    "cost-reports",
    "expense-reports",
  ]);
  const separations = runToEnd(separateSkills(corpus, collisions));
  for (const { before, after, prompts } of separations) expect(prompts === 0 || after > before).toBe(true);
  const names = separations.map(({ skill }) => skill);
  if (totalsOf(results).rank1 < 3) expect(names).toContain("expense-reports");
});

test("a description of a few words says too little, and so does one without the words of its prompts", () => {
  const corpus = corpusOf(BOTH);
  const thin = thinDescriptions(corpus.skills, evaluate(corpus));
  expect(thin.map(({ skill }) => skill)).toContain("expense-reports");
  expect(thin.map(({ skill }) => skill)).not.toContain("charts");
});
