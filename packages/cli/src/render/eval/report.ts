import path from "node:path";
import type { Comparison, Evaluation } from "#search";
import { cutToColumns, renderTable } from "../layout.ts";
import { count, type Look, printable, type Style } from "../text.ts";

export interface Thresholds {
  /** Percent of all prompts that must pass. */
  readonly passed: number | undefined;
  /** Percent of the prompts that must find their skill in the top 5. */
  readonly top5: number | undefined;
}

export interface ShownEvaluation {
  readonly evaluation: Evaluation;
  readonly comparison: Comparison | undefined;
  readonly thresholds: Thresholds;
  readonly cwd: string;
  /** The folders that were evaluated; empty for everything that is served. */
  readonly folders?: readonly string[];
}

const MOST_LINES = 20;
const WIDEST_PROMPT = 100;

export function isBelow(totals: Evaluation["totals"], { passed, top5 }: Thresholds): boolean {
  const { prompts, negatives } = totals;
  const share = (part: number, all: number): number => (all === 0 ? 0 : (part / all) * 100);
  return (
    share(totals.passed, prompts + negatives) < (passed ?? 0) || share(totals.top5, prompts) < (top5 ?? 0)
  );
}

export function percent(part: number, all: number): string {
  return all === 0 ? "–" : `${Math.floor((part / all) * 100)} %`;
}

/** What `eval` prints for people. */
export function renderEvaluation(shown: ShownEvaluation, look: Look): string {
  const { evaluation, comparison, thresholds } = shown;
  const { skills, totals } = evaluation;
  if (skills.length === 0) return renderNoPrompts(shown);
  const sections = [
    skillTable(evaluation, look),
    [summaryLine(totals), look.style.dim("Each prompt was left out of the index while it was ranked.")],
    lostPrompts(evaluation, look),
    collisionLines(evaluation, look),
    thinLines(evaluation, look),
    separationLines(evaluation, look),
    comparison === undefined ? [] : comparisonLines(comparison, look),
    missingLine(evaluation, look.width),
    thresholdLine(totals, thresholds, look.style),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function renderNoPrompts({ evaluation, folders = [], cwd }: ShownEvaluation): string {
  const where =
    folders.length === 0 ? "" : ` in ${folders.map((one) => path.relative(cwd, one) || ".").join(", ")}`;
  return `None of ${count(evaluation.names.size, "skill")}${where} has prompts to check.

Write some into evals/evals.json beside a SKILL.md:

  [
    { "query": "what a user would type", "should_trigger": true },
    { "query": "what another skill is for", "should_trigger": false }
  ]

and run eval again. docs/how-to/evals.md lists all forms.
`;
}

function skillTable({ skills, totals }: Evaluation, { width, style }: Look): readonly string[] {
  const hasNegatives = totals.negatives > 0;
  const titles = ["PROMPTS", "RANK 1", "TOP 5", "ABOVE FLOOR", ...(hasNegatives ? ["NEGATIVE"] : [])];
  const columns = [
    { title: "SKILL", least: 12, ...(width === undefined ? {} : { most: 40 }) },
    ...titles.map((title) => ({ title, align: "right" as const })),
  ];
  const rows = skills.map(({ name, totals: own }) => [
    printable(name),
    ...[own.prompts, own.rank1, own.top5, own.aboveFloor].map(String),
    ...(hasNegatives ? [own.negatives === 0 ? "" : `${own.negativesPassed} of ${own.negatives}`] : []),
  ]);
  return renderTable(columns, rows, width, style.dim);
}

export function summaryLine(totals: Evaluation["totals"]): string {
  const { prompts, rank1, top5, aboveFloor, negatives, negativesPassed } = totals;
  const parts = [
    `${rank1} at rank 1 (${percent(rank1, prompts)})`,
    `${top5} in the top 5 (${percent(top5, prompts)})`,
    `${aboveFloor} a good match (${percent(aboveFloor, prompts)})`,
  ];
  const others =
    negatives === 0
      ? ""
      : ` ${negativesPassed} of ${count(negatives, "prompt")} for other skills ${negativesPassed === 1 ? "finds" : "find"} another one.`;
  return `${count(prompts, "prompt")}: ${parts.join(", ")}.${others}`;
}

/** Why a prompt failed, for one line. */
export function whyFailed(
  { shouldTrigger, rank, isAboveFloor, ahead }: Evaluation["skills"][number]["results"][number],
  names: Evaluation["names"],
): string {
  const nameOf = (id: string): string => names.get(id) ?? id;
  if (!shouldTrigger) return "finds this skill, and should not";
  if (rank === 1 && !isAboveFloor) return "rank 1, but not a good match";
  const place = rank === undefined ? "not found" : `rank ${rank}`;
  return ahead.length === 0 ? place : `${place}, after ${ahead.map(nameOf).join(", ")}`;
}

function lostPrompts({ skills, names }: Evaluation, { width, style }: Look): readonly string[] {
  const lost = skills.flatMap(({ name, results }) =>
    results.filter(({ passed }) => !passed).map((result) => ({ name, result })),
  );
  const lines = lost.map(({ name, result }) => {
    const prompt = cutToColumns(printable(result.prompt.replace(/\s+/g, " ").trim()), WIDEST_PROMPT);
    return `  ${printable(name)}  “${prompt}”\n    ${style.dim(`${printable(whyFailed(result, names))} (${printable(result.source)})`)}`;
  });
  return section("Prompts that fail", lines, { width, style });
}

function collisionLines({ collisions, names }: Evaluation, { width, style }: Look): readonly string[] {
  const lines = collisions.map(({ first, second, firstLost, secondLost, overlap }) => {
    const [one = "", other = ""] = [first, second].map((id) => printable(names.get(id) ?? id));
    const lost = [
      ...(firstLost > 0
        ? [`${count(firstLost, "prompt")} of ${one} ${firstLost === 1 ? "finds" : "find"} ${other} first`]
        : []),
      ...(secondLost > 0
        ? [`${count(secondLost, "prompt")} of ${other} ${secondLost === 1 ? "finds" : "find"} ${one} first`]
        : []),
      ...(overlap >= 0.3
        ? [`${Math.round(overlap * 100)} % of the words of their descriptions are the same`]
        : []),
    ];
    return `  ${one} and ${other}: ${lost.join("; ")}`;
  });
  return section("Skills that collide", lines, { width, style });
}

function thinLines({ thin, names }: Evaluation, { width, style }: Look): readonly string[] {
  const lines = thin.map(({ skill, words, missing }) => {
    const name = printable(names.get(skill) ?? skill);
    const says = `${count(words, "word")} that a search can use`;
    return `  ${name}: ${says}${missing.length === 0 ? "" : `; its prompts also say ${printable(missing.join(", "))}`}`;
  });
  return section("Descriptions that say too little", lines, { width, style });
}

function separationLines(
  { separations, collisions, names }: Evaluation,
  { width, style }: Look,
): readonly string[] {
  if (separations === undefined) return [];
  if (collisions.length === 0) return ["No skills collide: there is nothing to separate."];
  const lines = separations.map(({ skill, from, words, before, after, prompts }) => {
    const [name, other] = [skill, from].map((id) => printable(names.get(id) ?? id));
    const effect =
      prompts === 0
        ? "no prompts to try it with"
        : `${before} → ${after} of ${count(prompts, "prompt")} of both at rank 1`;
    return `  ${name}, against ${other}: ${printable(words.join(", "))} (${effect})`;
  });
  if (lines.length === 0)
    return [style.bold("Words that would separate them"), "  None that help: the skills may be one skill."];
  return section("Words that would separate them", lines, { width, style });
}

/** Where a prompt finds its skill. */
export function placeOf({ rank, isAboveFloor }: Comparison["worse"][number]["before"]): string {
  if (rank === undefined) return "not found";
  return isAboveFloor ? `rank ${rank}` : `rank ${rank}, not a good match`;
}

function comparisonLines(
  { ref, compared, better, worse, added }: Comparison,
  { width, style }: Look,
): readonly string[] {
  const line = (one: Comparison["worse"][number]): string => {
    const prompt = cutToColumns(printable(one.prompt.replace(/\s+/g, " ").trim()), WIDEST_PROMPT);
    return `  ${printable(one.name)}  “${prompt}”: ${placeOf(one.before)} → ${placeOf(one.after)}`;
  };
  return [
    style.bold(
      `Since ${printable(ref)}: ${better.length} better, ${worse.length} worse, of ${count(compared, "prompt")}`,
    ),
    ...section("Worse", worse.map(line), { width, style }),
    ...section("Better", better.map(line), { width, style }),
    ...(added.length === 0 ? [] : [`New since then: ${printable(added.join(", "))}`]),
  ];
}

function missingLine({ withoutPrompts, skills }: Evaluation, width: number | undefined): readonly string[] {
  if (withoutPrompts.length === 0 || skills.length === 0) return [];
  const line = `${count(withoutPrompts.length, "skill")} without prompts: ${printable(withoutPrompts.join(", "))}`;
  return [width === undefined ? line : cutToColumns(line, width)];
}

function thresholdLine(
  totals: Evaluation["totals"],
  thresholds: Thresholds,
  style: Style,
): readonly string[] {
  const { passed, top5 } = thresholds;
  const all = totals.prompts + totals.negatives;
  const lines = [
    ...(isBelow(totals, { passed, top5: undefined })
      ? [
          `${totals.passed} of ${count(all, "prompt")} pass (${percent(totals.passed, all)}): below --threshold ${passed}.`,
        ]
      : []),
    ...(isBelow(totals, { passed: undefined, top5 })
      ? [`${percent(totals.top5, totals.prompts)} in the top 5: below --threshold-top5 ${top5}.`]
      : []),
  ];
  return lines.map((line) => style.red(line));
}

/** A titled list. Nothing when it is empty; on a terminal only its first lines. */
function section(title: string, lines: readonly string[], { width, style }: Look): readonly string[] {
  if (lines.length === 0) return [];
  const shown = width === undefined ? lines : lines.slice(0, MOST_LINES);
  const more = lines.length - shown.length;
  return [
    style.bold(title),
    ...shown,
    ...(more > 0 ? [style.dim(`  … and ${more} more; use --json to see all.`)] : []),
  ];
}
