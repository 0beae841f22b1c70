import { LIBRARY_PROVIDER } from "#agents";
import type { Audience, Location } from "#skills";
import { bestExcerpt, describedFor, readBody, readLibraryText } from "#skills";
import { escapeInvisibleCharacters, visibleLine } from "#util/pure";
import type { SearchIndex } from "./engine/index/search-index.ts";
import { type Ranked, searchIndex } from "./engine/rank/rank-skills.ts";
import { termsOfWord, wordsOf } from "./engine/words/analyse.ts";
import type { Searchable, SearchableSnapshot } from "./searchable.ts";

export interface FoundSkill {
  /** What the `skill` tool loads; of a library skill its path. */
  readonly name: string;
  readonly description: string;
  readonly provider: string;
  readonly location: Location;
  readonly skillPath: string;
  /** What `get_skill` takes, for a library skill. */
  readonly skill_path?: string;
  readonly score: number;
  readonly matched: readonly string[];
  readonly excerpt: string;
  /** The names of copies and forks of the skill. */
  readonly copies?: readonly string[];
}

export interface SearchResult {
  readonly task: string;
  /** How many skills fit, of which `results` are the best. */
  readonly total: number;
  /** Empty when no skill fits. */
  readonly results: readonly FoundSkill[];
  /** When no skill fits: the nearest, three at most. */
  readonly nearest: readonly FoundSkill[];
  /** How likely it is that the first result is the right one, from 0 to 1. */
  readonly confidence: number;
  /** `no_match` when no skill fits. */
  readonly verdict: "match" | "ambiguous" | "no_match";
}

export interface SearchRequest {
  readonly task: string;
  readonly limit: number;
  readonly audience: Audience;
  readonly synonyms: ReadonlyMap<string, readonly string[]>;
}

const EXCERPT_LENGTH = 160;

/** The skills that fit a task best: the same ranking for the tool, the command and the dashboard. */
export async function searchSkills(
  skills: SearchableSnapshot,
  index: SearchIndex,
  { task, limit, audience, synonyms }: SearchRequest,
): Promise<SearchResult> {
  const leftOut = skills.notFor(audience);
  const answer = searchIndex(index, task, { limit, synonyms, named: skills.idsNamed(task), leftOut });
  const show = async (ranked: readonly Ranked[]): Promise<readonly FoundSkill[]> => {
    const found = ranked.map(async ({ id, score, copies, ...words }): Promise<FoundSkill | undefined> => {
      const one = skills.find(id);
      if (one === undefined) return undefined;
      const others = copies.flatMap((copy) => skills.find(copy) ?? []).map((copy) => describe(copy).name);
      const matched = await wordsFound(one, words);
      const excerpt = await excerptFor(one, matched);
      return {
        ...describe(one),
        score,
        matched,
        excerpt,
        ...(others.length === 0 ? {} : { copies: others }),
      };
    });
    return (await Promise.all(found)).filter((one) => one !== undefined);
  };
  return {
    task,
    total: answer.total,
    results: await show(answer.results),
    nearest: await show(answer.nearest),
    confidence: Math.round(answer.confidence * 100) / 100,
    verdict: answer.verdict,
  };
}

/**
 * The words that were typed and that the skill has; in place of one that was corrected, or for which the skill has a synonym,
 * the skill's own word. A word for which the skill's text has none is left out.
 */
async function wordsFound(
  skill: Searchable,
  { matched, instead }: Pick<Ranked, "matched" | "instead">,
): Promise<readonly string[]> {
  if (instead.size === 0) return matched;
  const { name, description } = describe(skill);
  const words = new Set(wordsOf(`${name} ${description} ${(await bodyOf(skill)) ?? ""}`.toLowerCase()));
  return matched.flatMap((typed) => {
    const terms = instead.get(typed);
    if (terms === undefined) return [typed];
    const found = [...words].find((word) => {
      const { parts, joined } = termsOfWord(word);
      return [...parts, joined].some((term) => term !== null && terms.includes(term));
    });
    return found === undefined ? [] : [found];
  });
}

function describe(found: Searchable): Omit<FoundSkill, "score" | "matched" | "excerpt" | "copies"> {
  if (found.kind === "skill") {
    const { listedAs, skill } = found.entry;
    const { provider, location } = skill;
    const skillPath = visibleLine(skill.dir);
    return { name: listedAs, description: describedFor(skill), provider, location, skillPath };
  }
  const { path, description, location } = found.skill;
  const skillPath = visibleLine(found.skill.file);
  return { name: path, description, provider: LIBRARY_PROVIDER, location, skillPath, skill_path: path };
}

/** The passage that shows best why the skill was found: of the description, unless one of the body has more of the words. */
async function excerptFor(found: Searchable, matched: readonly string[]): Promise<string> {
  const description = found.kind === "skill" ? describedFor(found.entry.skill) : found.skill.description;
  const above = bestExcerpt(description, matched, EXCERPT_LENGTH);
  if (above.found === matched.length) return above.text;
  const below = bestExcerpt((await bodyOf(found)) ?? "", matched, EXCERPT_LENGTH);
  // Invisible characters of a description are escaped already; those of a body are not.
  return below.found > above.found ? escapeInvisibleCharacters(below.text) : above.text;
}

async function bodyOf(found: Searchable): Promise<string | undefined> {
  if (found.kind === "skill") return readBody(found.entry.skill);
  const text = await readLibraryText(found.skill);
  return text.ok ? text.body : undefined;
}
