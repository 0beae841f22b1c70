import {
  type LibraryFile,
  qualifiedNames,
  type RepoPlace,
  type ReviewCandidate,
  type ReviewedSkill,
  type ScannedLibrary,
  type ScanResult,
  type Skill,
  sameItems,
  skillPathOf,
} from "#skills";
import { createTimeSlices, isInside } from "#util";
import { defined, nameKey } from "#util/pure";
import type { Approval, Approvals } from "./approved/approvals.ts";
import { brokenSkills, insertInOrder } from "./broken-skills.ts";
import type { TrustVerdict } from "./rules/policy.ts";
import { keyOf } from "./rules/skill-source.ts";
import type { ServedVersion } from "./served-version.ts";

/** What decides about the skills of one scan. */
export interface ReviewRules {
  verdictOf(candidate: ReviewCandidate): TrustVerdict | Promise<TrustVerdict>;
  /** How a verdict is explained, such as `github.com, trust.yaml:3`. */
  ruleText(verdict: TrustVerdict): string;
  readonly approvals: Approvals;
  version(key: string, candidate: ReviewCandidate, approval: Approval): Promise<ServedVersion | undefined>;
  /** The repository that a file comes from. */
  repoAt(file: string): RepoPlace | undefined;
}

const LOST =
  "The approved version is missing or damaged in ~/.skills-mcp/approved; approve the skill again to serve it.";

/**
 * Puts approved versions in the place of everything that must not be served as it is. It works on the result of a scan, before
 * a snapshot is made of it: no edge can reach anything else.
 */
export function createReviewer() {
  let last:
    | { readonly source: readonly unknown[]; readonly made: Pick<ScanResult, "fingerprints" | "withFiles"> }
    | undefined;
  return async (result: ScanResult, rules: ReviewRules): Promise<ScanResult> => {
    const review = createDecisions(rules);
    const slices = createTimeSlices();
    const enabled: Skill[] = [];
    for (const skill of result.enabled) {
      await slices.yieldIfDue();
      const version = await review.decide({ kind: "skill", skill });
      if (version === "as-it-is") enabled.push(skill);
      else if (version?.skill !== undefined) enabled.push(version.skill);
    }
    for (const candidate of brokenSkills(result, rules.approvals)) {
      const version = await review.decide(candidate);
      if (version !== "as-it-is" && version?.skill !== undefined)
        insertInOrder(enabled, version.skill, result.roots);
    }
    const libraries: ScannedLibrary[] = [];
    for (const library of result.libraries) libraries.push(await reviewLibrary(library, review, rules));
    const { versions, reviewed } = review.done();
    if (reviewed.length === 0) return result;
    const source = [result.fingerprints, result.withFiles, ...versions];
    const made = last !== undefined && sameItems(last.source, source) ? last.made : madeOf(result, versions);
    last = { source, made };
    return {
      ...result,
      ...made,
      enabled,
      libraries,
      diagnostics: [
        ...withoutThoseOf(result, reviewed),
        ...versions.flatMap(({ skill, diagnostics }) => (skill === undefined ? [] : diagnostics)),
      ],
      awaited: [...result.awaited, ...versions.flatMap(({ files }) => files)],
      reviewed,
    };
  };
}

type Decisions = ReturnType<typeof createDecisions>;

function createDecisions({ verdictOf, ruleText, approvals, version }: ReviewRules) {
  const found = new Map<string, Omit<ReviewedSkill, "name">>();
  const versions = new Set<ServedVersion>();
  return {
    /** What to serve in the place of a skill; undefined: nothing. */
    async decide(candidate: ReviewCandidate): Promise<ServedVersion | "as-it-is" | undefined> {
      const verdict = await verdictOf(candidate);
      if (verdict.level === "allow") return "as-it-is";
      const key = keyOf(candidate);
      const approval = verdict.level === "block" ? undefined : approvals.get(key)?.versions[0];
      const served = approval === undefined ? undefined : await version(key, candidate, approval);
      if (served !== undefined) versions.add(served);
      // One folder may be seen through several roots.
      const problem = problemOf(candidate, approval !== undefined && served === undefined);
      if (!found.has(key))
        found.set(key, {
          key,
          names: candidateNames(candidate),
          level: verdict.level,
          rule: ruleText(verdict),
          candidate,
          served: served === undefined ? undefined : approval?.digest,
          ...defined({ problem }),
        });
      return served;
    },
    done: () => ({ versions: [...versions], reviewed: withNames([...found.values()]) }),
  };
}

function problemOf(candidate: ReviewCandidate, isLost: boolean): string | undefined {
  if (candidate.kind === "skill" && candidate.broken !== undefined)
    return `What its source holds now cannot be served, so it cannot be approved. ${candidate.broken}`;
  return isLost ? LOST : undefined;
}

async function reviewLibrary(
  library: ScannedLibrary,
  review: Decisions,
  rules: ReviewRules,
): Promise<ScannedLibrary> {
  const files: LibraryFile[] = [];
  const fingerprints = new Map(library.fingerprints);
  let isSame = true;
  for (const file of library.files) {
    const name = skillPathOf(file.filePath);
    const repo = rules.repoAt(file.file);
    const version = await review.decide({
      kind: "library",
      file,
      path: library.prefix === "" ? name : `${library.prefix}/${name}`,
      ...defined({ repo }),
    });
    if (version === "as-it-is") {
      files.push(file);
      continue;
    }
    isSame = false;
    if (version?.library === undefined) continue;
    files.push(version.library);
    fingerprints.set(version.library, version.fingerprint);
  }
  return isSame ? library : { ...library, files, fingerprints };
}

function madeOf(
  { fingerprints, withFiles }: ScanResult,
  versions: readonly ServedVersion[],
): Pick<ScanResult, "fingerprints" | "withFiles"> {
  const skills = versions.flatMap(({ skill, fingerprint, hasFiles }) =>
    skill === undefined ? [] : [{ skill, fingerprint, hasFiles }],
  );
  return {
    fingerprints: new Map([
      ...fingerprints,
      ...skills.map(({ skill, fingerprint }) => [skill, fingerprint] as const),
    ]),
    withFiles: new Set([
      ...withFiles,
      ...skills.filter(({ hasFiles }) => hasFiles).map(({ skill }) => skill.realDir),
    ]),
  };
}

/** Problems of a skill that is not served are shown only in its review. */
function withoutThoseOf({ diagnostics }: ScanResult, reviewed: readonly ReviewedSkill[]) {
  const places = reviewed.map(({ candidate }) =>
    candidate.kind === "skill" ? candidate.skill.dir : candidate.file.file,
  );
  return diagnostics.filter(({ file }) => !places.some((place) => isInside(place, file)));
}

/** Each gets the shortest name that no other has; the place is a name, too. */
function withNames(found: readonly Omit<ReviewedSkill, "name">[]): readonly ReviewedSkill[] {
  const counts = new Map<string, number>();
  for (const one of found) {
    for (const name of namesOf(one)) counts.set(nameKey(name), (counts.get(nameKey(name)) ?? 0) + 1);
  }
  return found.map((one) => ({
    ...one,
    name: namesOf(one).find((name) => counts.get(nameKey(name)) === 1) ?? one.key,
  }));
}

/** Everything that a person may call a reviewed skill: its names, and its place. */
export function namesOf({ names, key }: Pick<ReviewedSkill, "names" | "key">): readonly string[] {
  return [...names, key];
}

/** Everything that a candidate may be called, shortest first. */
export function candidateNames(candidate: ReviewCandidate): readonly string[] {
  if (candidate.kind === "library") return [candidate.path];
  const { skill } = candidate;
  return [...new Set([...(skill.plugin === undefined ? [skill.name] : []), ...qualifiedNames(skill)])];
}
