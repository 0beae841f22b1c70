import type { SearchResult } from "../../app/search/search-skills.ts";
import type { CatalogSearch } from "../../app/skills/skill-catalog.ts";
import { cutToColumns } from "./layout.ts";
import { count, printable, type Style } from "./text.ts";

/** What `search` prints for people: name, why it matched, and a line of its description. */
export function renderSearch(found: SearchResult, width: number | undefined, style: Style): string {
  const { results, total, task, verdict } = found;
  const hits = results.map(({ name, excerpt, provider, location, matched }): Hit => {
    return { name, why: `${provider}, ${location} · matched ${matched.join(", ")}`, excerpt };
  });
  const text = renderHits(hits, { total, query: task }, width, style);
  const isDoubtful = verdict === "no_match" && results.length > 0;
  return isDoubtful ? `No clear match for "${printable(task)}". Closest results:\n\n${text}` : text;
}

/** What `search --all-words` prints: name, folder, and the text around the first hit. */
export function renderAllWords(
  { results, total, query }: CatalogSearch,
  width: number | undefined,
  style: Style,
): string {
  const hits = results.map(
    ({ meta, excerpt, skillPath }): Hit => ({ name: meta.name, why: skillPath, excerpt }),
  );
  return renderHits(hits, { total, query }, width, style);
}

interface Hit {
  readonly name: string;
  readonly why: string;
  readonly excerpt: string;
}

function renderHits(
  hits: readonly Hit[],
  { total, query }: { readonly total: number; readonly query: string },
  width: number | undefined,
  style: Style,
): string {
  if (total === 0) {
    return `No skill matches "${printable(query)}". Try other words, or run skills-mcp list to see all skills.\n`;
  }
  const shown = hits.map(({ name, why, excerpt }) => {
    const text = printable(excerpt);
    const line = width === undefined ? text : cutToColumns(text, width - 2);
    return `${style.bold(printable(name))}  ${style.dim(printable(why))}\n  ${line}`;
  });
  const more = total - hits.length;
  const rest = more > 0 ? `\n\n${style.dim(`${count(more, "more result")}; use --limit to see more.`)}` : "";
  return `${shown.join("\n\n")}${rest}\n`;
}
