import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadedSkills } from "../../../../src/search/engine/evals/agent-output.ts";
import { findCollisions } from "../../../../src/search/engine/evals/collisions.ts";
import {
  type EvalCorpus,
  type EvalSkill,
  evaluateCases,
  totalsOf,
  withoutPrompt,
} from "../../../../src/search/engine/evals/evaluate.ts";
import { thinDescriptions } from "../../../../src/search/engine/evals/missing-words.ts";
import { separateSkills } from "../../../../src/search/engine/evals/separate.ts";
import { createIndexBuilder } from "../../../../src/search/engine/index/search-index.ts";
import { runToEnd } from "../../../../src/search/engine/steps.ts";

interface Given {
  readonly name: string;
  readonly description: string;
  readonly prompts?: readonly string[];
  readonly body?: string;
}

function corpusOf(given: readonly Given[]): EvalCorpus {
  const builder = createIndexBuilder();
  const skills = given.map(({ name, description, prompts = [], body = "" }): EvalSkill => {
    const document = { id: name, name, description, keywords: [], examples: prompts, body };
    builder.add(document);
    const cases = prompts.map((prompt) => ({ prompt, shouldTrigger: true, source: "examples" }));
    return { name, file: `${name}/SKILL.md`, document, cases };
  });
  return { index: runToEnd(builder.finish()), skills, synonyms: new Map(), hidden: new Set() };
}

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

  test("is left out however it is written, and nothing else is", () => {
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

test.each<[string, string, readonly string[]]>([
  [
    "Claude Code",
    '{"message":{"content":[{"type":"tool_use","name":"mcp__skills__skill","input":{"name":"pdf"}}]}}',
    ["pdf"],
  ],
  [
    "Claude Code's own tool",
    '{"message":{"content":[{"type":"tool_use","name":"Skill","input":{"skill":"a:pdf"}}]}}',
    ["a:pdf"],
  ],
  [
    "Codex",
    '{"item":{"type":"mcp_tool_call","server":"skills","tool":"skill","arguments":{"name":"pdf"}}}',
    ["pdf"],
  ],
  [
    "Codex's own skills",
    '{"item":{"type":"command_execution","command":"cat /h/.agents/skills/pdf/SKILL.md"}}',
    ["pdf"],
  ],
  ["Gemini CLI", '{"type":"tool_use","tool_name":"mcp_skills_skill","parameters":{"name":"pdf"}}', ["pdf"]],
  ["another tool", '{"type":"tool_use","name":"read_file","input":{"name":"pdf"}}', []],
  ["no JSON", "Loading skill pdf\n{cut", []],
])("what %s loads is read from its output", (_agent, output, skills) => {
  expect(loadedSkills(`noise\n${output}\n`)).toEqual(skills);
});
