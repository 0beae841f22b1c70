import path from "node:path";
import type { ConfigProblem } from "#config";
import { type AuditSettings, disabledFile, readDisabledSets } from "#skills";
import { policyFiles, policyProblems } from "#trust";
import { mayExist } from "#util";

/** What is wrong with the list of disabled skills: nobody knows which these are. */
export function disabledProblems(ownFolder: string): readonly ConfigProblem[] {
  const file = disabledFile(ownFolder);
  const { problem } = readDisabledSets(file);
  if (problem === undefined) return [];
  return [{ place: file, message: problem.slice(file.length + 2), withholds: ["skills"] }];
}

/** What is wrong in the user's files that have settings of one thing: rules of trust, approvals, synonyms. */
export async function ownFileProblems(
  ownFolder: string,
  audit: AuditSettings | undefined,
): Promise<readonly ConfigProblem[]> {
  return [...(await policyProblems(ownFolder, audit)), ...(await synonymProblems(ownFolder))];
}

async function synonymProblems(ownFolder: string): Promise<readonly ConfigProblem[]> {
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

/** Each problem once: several parts read the same file. */
export function distinctProblems(problems: readonly ConfigProblem[]): readonly ConfigProblem[] {
  return [...new Map(problems.map((one) => [`${one.place}: ${one.message}`, one])).values()];
}
