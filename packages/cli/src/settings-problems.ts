import path from "node:path";
import type { ConfigProblem } from "#config";
import { disabledFile, readDisabledSets } from "#skills";
import { policyFiles } from "#trust";
import { mayExist } from "#util";

/** What is wrong with the list of disabled skills: nobody knows which these are. */
export function disabledProblems(ownFolder: string): readonly ConfigProblem[] {
  const file = disabledFile(ownFolder);
  const { problem } = readDisabledSets(file);
  if (problem === undefined) return [];
  return [{ place: file, message: problem.slice(file.length + 2), withholds: ["skills"] }];
}

/** What is wrong with the user's synonyms. Searches do without them. */
export async function synonymProblems(ownFolder: string): Promise<readonly ConfigProblem[]> {
  const file = synonymsFile(ownFolder);
  if (!mayExist(file)) return [];
  // Loaded on demand: most people have no synonyms.
  const { readSynonyms } = await import("#search");
  const { problem } = await readSynonyms(file);
  return problem === undefined ? [] : [{ place: file, message: problem.message }];
}

const synonymsFile = (ownFolder: string): string => path.join(ownFolder, "synonyms.yaml");

/** The files that have settings of one thing. They need not exist. */
export function filesOfOneThing(ownFolder: string): readonly string[] {
  return [disabledFile(ownFolder), synonymsFile(ownFolder), ...policyFiles(ownFolder)];
}

/** Each problem once, as it is known first: several parts read the same file. */
export function distinctProblems(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  const known = new Map<string, ConfigProblem>();
  for (const problem of problems) {
    const line = `${problem.place}: ${problem.message}`;
    if (!known.has(line)) known.set(line, problem);
  }
  return [...known.values()];
}

/** What a problem withholds by settings that are no filters. `mcp-server` and filters have nothing to do with each other. */
export function withoutFilters(problem: ConfigProblem): ConfigProblem {
  const withholds = (problem.withholds ?? []).filter((what) => what !== "skills" && what !== "profiles");
  return { ...problem, withholds };
}
