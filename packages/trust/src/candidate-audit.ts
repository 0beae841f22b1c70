import path from "node:path";
import type { AuditFinding } from "#check";
import { activeFindings, auditContent, auditSkill } from "#check";
import type { ReviewCandidate, SkillContent } from "#skills";
import { isAtLeast, listSkillFiles, type Severity, worstSeverity } from "#skills";
import { Refusal } from "#util/pure";
import { readCandidate } from "./candidate.ts";

/** What the audit says about content that is not approved. Comments in it suppress nothing: they are its author's word. */
export function candidateFindings(
  candidate: ReviewCandidate,
  content: SkillContent,
  ignore: readonly string[],
): readonly AuditFinding[] {
  const named =
    candidate.kind === "skill"
      ? { name: candidate.skill.name, fileName: candidate.skill.fileName }
      : { name: candidate.path, fileName: path.basename(candidate.file.file) };
  return activeFindings(auditContent(content, named, { ignore }), { trustComments: false });
}

/** Says why a skill must be approved although its source is allowed; undefined when nothing is found. */
export type AuditGate = (key: string, candidate: ReviewCandidate) => Promise<string | undefined>;

/** Holds back what the audit finds something in. What was examined once is examined again only if a file has changed. */
export function createAuditGate(block: Severity, ignore: readonly string[]): AuditGate {
  const known = new Map<string, { readonly look: string; readonly why: string | undefined }>();
  return async (key, candidate) => {
    const look = await lookOf(candidate);
    const cached = known.get(key);
    if (look !== undefined && cached !== undefined && cached.look === look) return cached.why;
    const why = await reasonFor(candidate, block, ignore);
    if (look === undefined) known.delete(key);
    else known.set(key, { look, why });
    return why;
  };
}

async function reasonFor(
  candidate: ReviewCandidate,
  block: Severity,
  ignore: readonly string[],
): Promise<string | undefined> {
  try {
    const found = (await findingsOnDisk(candidate, ignore)).filter(
      ({ rule, severity }) => isAtLeast(severity, block) || isUnread(rule, severity),
    );
    const worst = worstSeverity(found);
    const first = found.find(({ severity }) => severity === worst);
    return first && `audit.block: ${block}, ${first.rule} in ${first.file}`;
  } catch (error) {
    // What cannot be examined cannot be called harmless.
    if (error instanceof Refusal) return `audit.block: ${block}, and it cannot be examined`;
    throw error;
  }
}

/** What the audit did not read, and minified code that the skill runs: a gate cannot know what it would find there. */
function isUnread(rule: string, severity: Severity): boolean {
  return rule === "not-audited" || (rule === "bundled-code" && isAtLeast(severity, "medium"));
}

/** A skill is audited where it was found: what is not served of it can still be opened by an agent on the same machine. */
async function findingsOnDisk(
  candidate: ReviewCandidate,
  ignore: readonly string[],
): Promise<readonly AuditFinding[]> {
  if (candidate.kind === "skill")
    return activeFindings(await auditSkill(candidate.skill, { ignore }), { trustComments: false });
  const { content } = await readCandidate(candidate);
  return candidateFindings(candidate, content, ignore);
}

/** Another value means that a file may have changed; undefined: it has to be examined each time. */
async function lookOf(candidate: ReviewCandidate): Promise<string | undefined> {
  if (candidate.kind === "library") return candidate.repo && candidate.file.realFile;
  const { skill } = candidate;
  // A version of a repository never changes.
  if (skill.repo !== undefined) return skill.realDir;
  const { files, leftOut, foreign } = await listSkillFiles(skill, { hidden: true });
  return JSON.stringify([
    files.map(({ realFile, fingerprint }) => [realFile, fingerprint]),
    leftOut,
    foreign,
  ]);
}
