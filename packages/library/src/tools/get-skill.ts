import type { ConfigValues } from "#config";
import type { Library, LibrarySkill } from "#skills";
import { readLibraryText } from "#skills";
import type { Usage } from "#usage";
import { memoizeWeak, Refusal } from "#util/pure";
import { aggregateContent, chainOf } from "../matching/inheritance.ts";
import { createKeywordIndex, type KeywordIndex } from "../matching/keyword-index.ts";
import { decide, matchSkills, roundScore, type SkillMatch } from "../matching/match-skills.ts";
import { filesOf } from "../matching/skill-files.ts";
import { type ContextWords, tokenize } from "../matching/tokenize.ts";
import { withInlineText } from "./declared-file-content.ts";
import { findLibrarySkill } from "./find-library-skill.ts";

/** A skill that may help instead, where no keyword matches. */
export interface Suggestion {
  readonly name: string;
  readonly description: string;
  /** What `get_skill` takes, for a library skill; any other is loaded by its name. */
  readonly skill_path?: string;
}

interface SkillCandidate {
  readonly skill_path: string;
  readonly score: number;
  readonly description: string;
  readonly matched_keywords: readonly string[];
}

export type LibraryAnswer =
  | { readonly no_match: true; readonly message: string; readonly suggestions: readonly Suggestion[] }
  | { readonly ambiguous: true; readonly candidates: readonly SkillCandidate[]; readonly message: string }
  | ServedLibrarySkill;

interface ServedLibrarySkill {
  readonly skill_path: string;
  readonly score: number;
  readonly matched_keywords: readonly string[];
  readonly content: string;
  readonly assets: readonly OfferedAsset[];
  readonly scripts: LibrarySkill["scripts"];
  readonly inherited_assets: readonly (OfferedAsset & { readonly from: string })[];
  readonly inherited_scripts: readonly (LibrarySkill["scripts"][number] & { readonly from: string })[];
}

type OfferedAsset = LibrarySkill["assets"][number] & {
  /** The text of a small text file. */
  readonly content?: string;
};

const indexOf = memoizeWeak((library: Library) => createKeywordIndex(library.skills.values()));

export interface GetSkillDeps {
  readonly config: Pick<ConfigValues, "matching" | "assets">;
  readonly usage: Pick<Usage, "record">;
  readonly suggest: (task: string) => Promise<readonly Suggestion[]>;
  /** Called for each declaration that is not served. */
  readonly warn: (message: string) => void;
}

export interface WantedSkill {
  readonly context: string;
  readonly skillPath: string | undefined;
}

/** The skill that matches a task, or the one at a path, with everything it inherits. */
export async function getSkill(
  library: Library,
  { context, skillPath }: WantedSkill,
  deps: GetSkillDeps,
): Promise<LibraryAnswer> {
  const { matching } = deps.config;
  const limits = { ambiguityThreshold: matching.ambiguity_threshold, maxResults: matching.max_results };
  const index = indexOf(library);
  const words = tokenize(context);
  const decision = decide(matchSkills(index, words, { minScore: matching.min_score }), limits);

  if (skillPath !== undefined) {
    const skill = findLibrarySkill(library, skillPath);
    const match = context === "" ? undefined : matchOf(index, words, skill);
    const wasAmbiguous = decision.kind === "ambiguous";
    return serve(library, match ?? { skill, score: 1, matchedKeywords: [] }, { context, wasAmbiguous }, deps);
  }
  if (decision.kind === "match") {
    return serve(library, decision.result, { context, wasAmbiguous: false }, deps);
  }
  if (decision.kind === "ambiguous") {
    const candidates = decision.candidates.map(candidateOf);
    deps.usage.record("ambiguous", { context, candidates: candidates.map((one) => one.skill_path) });
    const message = "Multiple skills match. Specify your need or pick a skill_path.";
    return { ambiguous: true, candidates, message };
  }
  deps.usage.record("no_match", { context, via: "get_skill" });
  const suggestions = await deps.suggest(context);
  return { no_match: true, message: "No skill matches the given context.", suggestions };
}

/** The score of a skill that was requested by its path: it is served even if the score is low. */
function matchOf(index: KeywordIndex, words: ContextWords, skill: LibrarySkill): SkillMatch | undefined {
  const all = matchSkills(index, words, { minScore: Number.NEGATIVE_INFINITY });
  return all.find((result) => result.skill === skill);
}

async function serve(
  library: Library,
  { skill, score, matchedKeywords }: SkillMatch,
  { context, wasAmbiguous }: { readonly context: string; readonly wasAmbiguous: boolean },
  { config, usage, warn }: GetSkillDeps,
): Promise<ServedLibrarySkill> {
  // What get_asset refuses is not inlined either.
  const { inline_text_max_bytes: inlined, max_size_bytes: largest } = config.assets;
  const inline = withInlineText(library, skill, Math.min(inlined, largest));
  const files = filesOf(library, skill);
  for (const { message } of files.problems) warn(message);
  const [content, assets, inheritedAssets] = await Promise.all([
    contentOf(library, skill),
    inline(files.assets),
    inline(files.inheritedAssets),
  ]);
  const served = { skill_path: skill.path, score: roundScore(score), matched_keywords: matchedKeywords };
  const asked = context === "" ? {} : { context };
  usage.record("skill_served", { ...asked, ...served, was_ambiguous: wasAmbiguous, via: "get_skill" });
  return {
    ...served,
    content,
    assets,
    scripts: files.scripts,
    inherited_assets: inheritedAssets,
    inherited_scripts: files.inheritedScripts,
  };
}

/** The texts of the whole chain as they are now. A parent that was deleted meanwhile is left out. */
export async function contentOf(library: Library, skill: LibrarySkill): Promise<string> {
  const chain = chainOf(library, skill);
  const texts = await Promise.all(chain.map((each) => readLibraryText(each)));
  const own = texts.at(-1);
  if (own !== undefined && !own.ok) {
    throw new Refusal(`The skill "${skill.path}" can no longer be read. ${own.failure.message}`, {
      code: "library",
      reason: "unreadable",
    });
  }
  return aggregateContent(
    chain.flatMap((each, level) => {
      const text = texts[level];
      return text?.ok === true ? [{ skill: each, content: text.body }] : [];
    }),
  );
}

function candidateOf({ skill, score, matchedKeywords }: SkillMatch): SkillCandidate {
  return {
    skill_path: skill.path,
    score: roundScore(score),
    description: skill.description,
    matched_keywords: matchedKeywords,
  };
}
