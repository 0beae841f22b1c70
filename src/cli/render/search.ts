import type { SearchResult } from "../../app/search-skills.ts";
import { cutToColumns, printable } from "./columns.ts";
import type { Style } from "./style.ts";

/** What `search` prints for people: name, why it matched, and a line of its description. */
export function renderSearch(found: SearchResult, width: number | undefined, style: Style): string {
  const { results, total, task } = found;
  if (total === 0)
    return `No skill matches "${printable(task)}". Try other words, or skills-mcp list to see them all.\n`;
  const blocks = results.map(({ name, excerpt, provider, location, matched }) => {
    const where = style.dim(`${provider}, ${location} · matched ${matched.join(", ")}`);
    const text = printable(excerpt);
    return `${style.bold(printable(name))}  ${where}\n  ${width === undefined ? text : cutToColumns(text, width - 2)}`;
  });
  const more = total - results.length;
  const rest = more > 0 ? `\n\n${style.dim(`${more} more; --limit shows them.`)}` : "";
  return `${blocks.join("\n\n")}${rest}\n`;
}
