import path from "node:path";
import { type Entry, isForModels, readSkill, type Snapshot } from "#skills";
import { createTimeSlices, runQueue, runSteps } from "#util";
import { type Collision, findCollisions } from "../engine/evals/collisions.ts";
import { frontMatterCases } from "../engine/evals/eval-cases.ts";
import {
  type CaseResult,
  type EvalCorpus,
  type EvalSkill,
  type EvalTotals,
  evaluateCases,
  totalsOf,
} from "../engine/evals/evaluate.ts";
import {
  type Separation,
  separateSkills,
  type ThinDescription,
  thinDescriptions,
} from "../engine/evals/separate.ts";
import type { SearchIndexSource } from "../lazy-search.ts";
import { readEvalCases, readSearchDocument } from "../searchable.ts";

/** One skill with its prompts, and what they find. */
interface EvaluatedSkill {
  readonly name: string;
  readonly file: string;
  readonly totals: EvalTotals;
  readonly results: readonly CaseResult[];
}

export interface Evaluation {
  /** Every skill that prompts may find, by the id that results use. */
  readonly names: ReadonlyMap<string, string>;
  /** The skills that have prompts. */
  readonly skills: readonly EvaluatedSkill[];
  readonly totals: EvalTotals;
  readonly collisions: readonly Collision[];
  readonly thin: readonly ThinDescription[];
  readonly withoutPrompts: readonly string[];
  /** Present only when asked for. */
  readonly separations?: readonly Separation[];
}

export interface EvaluationRequest {
  /** The names of the skills whose prompts count; all of them when empty. */
  readonly only: readonly string[];
  readonly suggest: boolean;
}

const READ_AT_ONCE = 8;

/** Reads every skill of a snapshot with its prompts. */
export async function readCorpus(app: SearchIndexSource, { catalog }: Snapshot): Promise<EvalCorpus> {
  const skills: EvalSkill[] = [];
  await runQueue(catalog.entries, READ_AT_ONCE, async (entry) => {
    const skill = await readEvalSkill(entry);
    if (skill !== undefined) skills.push(skill);
  });
  skills.sort((a, b) => (a.name < b.name ? -1 : 1));
  const leftOut = catalog.entries.filter((entry) => !isForModels(entry)).map(({ skill }) => skill.dir);
  return { ...(await app.searchIndex()), skills, leftOut: new Set(leftOut) };
}

async function readEvalSkill(entry: Entry): Promise<EvalSkill | undefined> {
  const { skill, listedAs } = entry;
  const [document, loaded, files] = await Promise.all([
    readSearchDocument({ kind: "skill", entry }, skill.dir),
    readSkill(skill),
    readEvalCases(skill.realDir),
  ]);
  if (document === undefined || !loaded.ok) return undefined;
  const all = [...files, ...frontMatterCases(loaded.skill.fields)];
  // One prompt may be in several files.
  const cases = [...new Map(all.map((one) => [`${one.shouldTrigger} ${one.prompt.trim()}`, one])).values()];
  return { name: listedAs, file: path.join(skill.dir, skill.fileName), document, cases };
}

/** What the prompts of skills find. Nothing but the search is asked: the same as `find_skills` and hooks use. */
export async function evaluateSkills(
  corpus: EvalCorpus,
  { only, suggest }: EvaluationRequest,
): Promise<Evaluation> {
  const slices = createTimeSlices();
  const { skills, leftOut } = corpus;
  const wanted = skills.filter(({ name }) => only.length === 0 || only.includes(name));
  // A skill that is not listed to models is not expected to be found.
  const chosen = wanted.filter(({ document }) => !leftOut.has(document.id));
  const results = await runSteps(evaluateCases(corpus, chosen), slices);
  const ids = new Set(wanted.map(({ document }) => document.id));
  const collisions = findCollisions(corpus, results).filter(
    ({ first, second }) => ids.has(first) || ids.has(second),
  );
  const bySkill = groupResults(results);
  const separations = suggest ? await runSteps(separateSkills(corpus, collisions), slices) : undefined;
  return {
    names: new Map(skills.map(({ name, document }) => [document.id, name])),
    skills: chosen.flatMap(({ name, file, document }) => {
      const own = bySkill.get(document.id) ?? [];
      return own.length === 0 ? [] : [{ name, file, totals: totalsOf(own), results: own }];
    }),
    totals: totalsOf(results),
    collisions,
    thin: thinDescriptions(wanted, results),
    withoutPrompts: chosen.filter(({ cases }) => cases.length === 0).map(({ name }) => name),
    ...(separations === undefined ? {} : { separations }),
  };
}

function groupResults(results: readonly CaseResult[]): ReadonlyMap<string, readonly CaseResult[]> {
  const groups = new Map<string, CaseResult[]>();
  for (const result of results) groups.set(result.skill, [...(groups.get(result.skill) ?? []), result]);
  return groups;
}
