import path from "node:path";
import { printable } from "../text.ts";
import { escapeData, escapeProperty } from "../validate/formats.ts";
import { shorter } from "../validate/report.ts";
import { isBelow, placeOf, type ShownEvaluation, summaryLine, whyFailed } from "./report.ts";

/** The result as JSON, with the names of skills instead of ids. */
export function evalJson({ evaluation, comparison, thresholds }: ShownEvaluation) {
  const { names, skills, totals, collisions, thin, withoutPrompts, separations } = evaluation;
  const nameOf = (id: string): string => names.get(id) ?? id;
  return {
    passed: !isBelow(totals, thresholds),
    leaveOneOut: true,
    totals,
    skills: skills.map(({ name, file, totals: own, results }) => ({
      name,
      file,
      ...own,
      results: results.map(({ prompt, shouldTrigger, source, rank, isAboveFloor, ahead, passed }) => ({
        ...{ prompt, shouldTrigger, source, rank: rank ?? null, aboveFloor: isAboveFloor },
        ...{ ahead: ahead.map(nameOf), passed },
      })),
    })),
    collisions: collisions.map(({ first, second, ...rest }) => ({
      skills: [nameOf(first), nameOf(second)],
      ...rest,
    })),
    tooLittle: thin.map(({ skill, ...rest }) => ({ skill: nameOf(skill), ...rest })),
    withoutPrompts,
    ...(separations === undefined
      ? {}
      : {
          separate: separations.map(({ skill, from, ...rest }) => ({
            ...{ skill: nameOf(skill), from: nameOf(from) },
            ...rest,
          })),
        }),
    ...(comparison === undefined ? {} : { diff: comparison }),
  };
}

/** Failing prompts as workflow commands, which GitHub shows at the files of a pull request. */
export function renderEvalGithub({ evaluation, comparison, thresholds, cwd }: ShownEvaluation): string {
  const { skills, names, totals } = evaluation;
  const level = isBelow(totals, thresholds) ? "error" : "notice";
  const lines = skills.flatMap(({ name, file, results }) =>
    results
      .filter(({ passed }) => !passed)
      .map((result) => {
        const shown = escapeProperty(shorter(file, cwd).split(path.sep).join("/"));
        const message = `“${result.prompt}”: ${whyFailed(result, names)}`;
        return `::${level} file=${shown},title=${escapeProperty(name)}::${escapeData(message)}`;
      }),
  );
  const worse = (comparison?.worse ?? []).map(
    ({ name, prompt, before, after }) =>
      `::warning title=${escapeProperty(name)}::${escapeData(`“${prompt}”: ${placeOf(before)} before, ${placeOf(after)} now`)}`,
  );
  return `${[...lines, ...worse, summaryLine(totals)].map(printable).join("\n")}\n`;
}
