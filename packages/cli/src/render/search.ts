import type { FoundSkill, SearchResult } from "#search";
import type { SkillCatalog } from "#skills";
import { cutToColumns, fitLines } from "./layout.ts";
import { count, type Look, printable } from "./text.ts";

/** What `search` prints for people: name, why it matched, and a line of its description. */
export function renderSearch(found: SearchResult, { width, style }: Look): string {
  const { results, nearest, total, task } = found;
  // Copies are named beside their result.
  const copies = results.reduce((sum, result) => sum + (result.copies?.length ?? 0), 0);
  if (nearest.length === 0)
    return renderHits(results.map(hitOf), { total: total - copies, query: task }, { width, style });
  const text = renderHits(nearest.map(hitOf), { total: nearest.length, query: task }, { width, style });
  return `${fitLines(`Nothing fits "${printable(task)}" well. The nearest:`, width)}\n\n${text}`;
}

function hitOf({ name, excerpt, provider, location, matched, copies = [] }: FoundSkill): Hit {
  // A skill that is found by its meaning may share no word with the query.
  const words = matched.length === 0 ? "" : ` · matched ${matched.join(", ")}`;
  const others = copies.length === 0 ? "" : ` · copies: ${copies.join(", ")}`;
  return { name, why: `${provider}, ${location}${words}${others}`, excerpt };
}

/** What `search --all-words` prints: name, folder, and the text around the first hit. */
export function renderAllWords(
  { results, total, query }: Awaited<ReturnType<SkillCatalog["search"]>>,
  { width, style }: Look,
): string {
  const hits = results.map(
    ({ meta, excerpt, skillPath }): Hit => ({ name: meta.name, why: skillPath, excerpt }),
  );
  return renderHits(hits, { total, query }, { width, style });
}

interface Hit {
  readonly name: string;
  readonly why: string;
  readonly excerpt: string;
}

function renderHits(
  hits: readonly Hit[],
  { total, query }: { readonly total: number; readonly query: string },
  { width, style }: Look,
): string {
  if (total === 0) {
    const text = `No skill matches "${printable(query)}". Try other words, or run skills-mcp list to see all skills.\n`;
    return fitLines(text, width);
  }
  const shown = hits.map(({ name, why, excerpt }) => {
    const text = printable(excerpt);
    const line = width === undefined ? text : cutToColumns(text, width - 2);
    const heading = fitLines(`${style.bold(printable(name))}  ${style.dim(printable(why))}`, width);
    return `${heading}\n  ${line}`;
  });
  const more = total - hits.length;
  const rest = more > 0 ? `\n\n${style.dim(`${count(more, "more result")}; use --limit to see more.`)}` : "";
  return `${shown.join("\n\n")}${rest}\n`;
}
