import type { FoundSkill, SearchResult } from "#search";
import { bestExcerpt, type SkillCatalog } from "#skills";
import { cutToColumns, fitLines } from "./layout.ts";
import { count, type Look, printable } from "./text.ts";

/** What `search` prints for people: name and description; with `why` the words and the passage that matched, too. */
export function renderSearch(found: SearchResult, look: Look, { why = false } = {}): string {
  const { results, nearest, total, task, verdict } = found;
  // Copies are named beside their result.
  const copies = results.reduce((sum, result) => sum + (result.copies?.length ?? 0), 0);
  const hitsOf = (all: readonly FoundSkill[]): readonly Hit[] => all.map((one) => hitOf(one, why));
  const first = (sentence: string, text: string): string => `${fitLines(sentence, look.width)}\n\n${text}`;
  const query = printable(task);
  if (nearest.length > 0) {
    const text = renderHits(hitsOf(nearest), { total: nearest.length, query: task }, look);
    return first(`Nothing fits "${query}" well. The nearest:`, text);
  }
  const text = renderHits(hitsOf(results), { total: total - copies, query: task }, look);
  if (verdict !== "ambiguous") return text;
  return first(`Ambiguous: no skill stands out for "${query}". The candidates, best first:`, text);
}

function hitOf(found: FoundSkill, why: boolean): Hit {
  const { name, description, excerpt, provider, location, copies = [] } = found;
  const words = why ? wordsShown(found) : [];
  const place = [
    `${provider}, ${location}`,
    ...(words.length === 0 ? [] : [`matched ${words.join(", ")}`]),
    ...(copies.length === 0 ? [] : [`copies: ${copies.join(", ")}`]),
  ].join(" · ");
  // A short description is its own passage.
  const hasPassage = why && excerpt !== onOneLine(description);
  return { name, place, lines: [description, ...(hasPassage ? [excerpt] : [])] };
}

/** The words of the query that stand in what is shown. A skill may also be found by a synonym of a word, or by its meaning. */
function wordsShown({ name, description, excerpt, matched }: FoundSkill): readonly string[] {
  const text = `${name} ${description} ${excerpt}`;
  return matched.filter((word) => bestExcerpt(text, [word], text.length).found > 0);
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** What `search --all-words` prints: name, folder, and the text around the first hit. */
export function renderAllWords(
  { results, total, query }: Awaited<ReturnType<SkillCatalog["search"]>>,
  { width, style }: Look,
): string {
  const hits = results.map(
    ({ meta, excerpt, skillPath }): Hit => ({ name: meta.name, place: skillPath, lines: [excerpt] }),
  );
  return renderHits(hits, { total, query }, { width, style });
}

interface Hit {
  readonly name: string;
  readonly place: string;
  readonly lines: readonly string[];
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
  const shown = hits.map(({ name, place, lines }) => {
    const texts = lines.map((line) => printable(onOneLine(line)));
    const cut = texts.map((text) => (width === undefined ? text : cutToColumns(text, width - 2)));
    const heading = fitLines(`${style.bold(printable(name))}  ${style.dim(printable(place))}`, width);
    return [heading, ...cut.map((text) => `  ${text}`)].join("\n");
  });
  const more = total - hits.length;
  const rest = more > 0 ? `\n\n${style.dim(`${count(more, "more result")}; use --limit to see more.`)}` : "";
  return `${shown.join("\n\n")}${rest}\n`;
}
