import type { addSkills } from "#install";
import { count, printable } from "../text.ts";

/** More are counted: a repository may have copies of all its skills. */
const MOST_SHOWN = 10;

/** Skills of a source that `add` did not take because another one has the name, each with the way to take it. */
export function renderLeftOut(
  leftOut: Awaited<ReturnType<typeof addSkills>>["leftOut"],
  source: string,
): string {
  const shown = leftOut.slice(0, MOST_SHOWN).map(({ name, path, instead }) => {
    const [own, other] = [path, instead].map((each) => printable(each === "" ? "." : each));
    const way = `skills-mcp add ${printable(source)} ${own}`;
    return `left out  ${printable(name)}  ${own}: ${other} has the same name. To take it: ${way}\n`;
  });
  const more = leftOut.length - shown.length;
  return more === 0
    ? shown.join("")
    : `${shown.join("")}${count(more, "more skill")} left out: --json lists them.\n`;
}
