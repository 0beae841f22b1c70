import type { SettingsProblem } from "#skills";
import { visibleLine } from "#util/pure";

/** More of them would leave no room for the skills; `doctor` has all. */
const MOST_SHOWN = 3;

/**
 * What a model is told, before anything else, while settings are wrong: each place with the reason, and what is not served.
 * Undefined when nothing is wrong.
 */
export function settingsNotice(problems: readonly SettingsProblem[]): string | undefined {
  if (problems.length === 0) return undefined;
  // What keeps skills from being served comes first.
  const sorted = [...problems].sort((a, b) => rankOf(a) - rankOf(b));
  const shown = sorted.slice(0, MOST_SHOWN).map((problem) => {
    // Clients that show one line show the first.
    return `Wrong settings, tell the user: ${visibleLine(`${problem.place}: ${problem.message}`)} ${EFFECTS[rankOf(problem)]}`;
  });
  const more = problems.length - shown.length;
  return [
    ...shown,
    ...(more === 0 ? [] : [`${more} more settings are wrong: skills-mcp doctor lists them.`]),
  ].join("\n");
}

const EFFECTS = [
  "Until it is repaired no skill is served, because the settings could exclude it.",
  "Until it is repaired nothing of the library is served.",
  "Until it is repaired no script is run.",
  "Until it is repaired it is ignored.",
] as const;

/** The place of its effect in `EFFECTS`. */
function rankOf({ withholds = [] }: SettingsProblem): 0 | 1 | 2 | 3 {
  if (withholds.includes("skills")) return 0;
  if (withholds.includes("library")) return 1;
  return withholds.includes("scripts") ? 2 : 3;
}
