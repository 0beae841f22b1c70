import type { ReviewedSkill, Snapshot } from "#skills";
import { type LibraryReason, Refusal } from "#util/pure";

/** What a request is about. */
interface Asked {
  readonly skillPath: string;
  /** A file of the skill. */
  readonly file?: string;
}

/** Refusals that may be due to a version that is not approved yet. */
const UNKNOWN: ReadonlySet<LibraryReason> = new Set(["unknown-path", "unknown-file", "not-declared"]);

/** Runs `meet`. Where that fails because a skill, or a file of it, is not approved, the refusal says so. */
export async function explainNotApproved<T>(
  snapshot: Snapshot,
  asked: Asked,
  meet: () => Promise<T>,
): Promise<T> {
  try {
    return await meet();
  } catch (error) {
    if (!(error instanceof Refusal) || error.detail.code !== "library" || !UNKNOWN.has(error.detail.reason))
      throw error;
    const review = snapshot.reviewed?.find((one) => isMeant(one, asked));
    if (review === undefined) throw error;
    throw refusalOf(review, asked, error);
  }
}

function isMeant({ candidate, served }: ReviewedSkill, { skillPath, file }: Asked): boolean {
  if (candidate.kind !== "library") return false;
  const path = skillPath.replace(/\.md$/, "").replace(/^\/+|\/+$/g, "");
  if (candidate.path !== path && candidate.path !== `${path}/_index`) return false;
  const { assets, scripts } = candidate.file;
  return served === undefined || [...assets, ...scripts].some((declared) => declared.file === file);
}

function refusalOf({ name, level, rule, served }: ReviewedSkill, { file }: Asked, cause: Refusal): Refusal {
  const what = served === undefined || file === undefined ? `"${name}"` : `"${file}" of "${name}"`;
  const why =
    level === "block"
      ? `${what} is blocked by the rule ${rule}.`
      : `${what} is not approved (rule ${rule}). To approve it, run: skills-mcp approve ${name}`;
  return new Refusal(why, { code: "library", reason: "not-approved" }, { cause });
}
