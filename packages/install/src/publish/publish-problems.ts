import path from "node:path";
import { checkFolder, ignoredRules, SKILL_TEMPLATE } from "#check";
import { type Finding, publishNames, type Snapshot } from "#skills";
import { runQueue } from "#util";

/** Why a skill must not be published. */
export interface SiteProblem extends Finding {
  /** The skill, as lists show it. */
  readonly name: string;
  readonly file: string;
}

const SKILLS_AT_ONCE = 8;

/** What is never published, though it does not keep a skill from being served to its owner. */
const PRIVATE_RULES: ReadonlySet<string> = new Set(["secret", SKILL_TEMPLATE.rule]);

/**
 * What everybody would get with the skills of a snapshot and should not: secrets, what the audit finds to be dangerous, what breaks the
 * specification, and the text of a template.
 */
export async function publishProblems(snapshot: Snapshot, home: string): Promise<readonly SiteProblem[]> {
  const ignore = await ignoredRules(home);
  const entries = [...publishNames(snapshot.catalog).values()];
  const problems: (readonly SiteProblem[])[] = Array.from({ length: entries.length });
  await runQueue(entries.entries(), SKILLS_AT_ONCE, async ([at, { skill, listedAs }]) => {
    const checked = await checkFolder(path.join(skill.dir, skill.fileName), { ignore });
    problems[at] = checked.flatMap(({ file, findings }) =>
      findings
        .filter(({ severity, rule }) => severity === "error" || PRIVATE_RULES.has(rule))
        .map((finding) => ({ ...finding, name: listedAs, file })),
    );
  });
  return problems.flat();
}
