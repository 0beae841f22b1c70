import { Refusal } from "#util/pure";
import type { LibraryFile } from "../library/build-library.ts";
import type { RepoPlace, Skill } from "../skill/skill.ts";

/** What was found of a skill that is not served as it is. */
export type ReviewCandidate =
  | {
      readonly kind: "skill";
      readonly skill: Skill;
      /** Why its file is no skill as it is now; absent where it is one. */
      readonly broken?: string;
    }
  | {
      readonly kind: "library";
      readonly file: LibraryFile;
      /** What clients call it. */
      readonly path: string;
      /** The repository that it comes from; absent for a folder. */
      readonly repo?: RepoPlace;
    };

/** A skill that is served only as it was approved, or not at all. */
export interface ReviewedSkill {
  /** The place that it comes from, which stays the same when it changes. */
  readonly key: string;
  /** What commands take: the shortest name that no other of these skills has. */
  readonly name: string;
  /** Everything that it may be called, shortest first. */
  readonly names: readonly string[];
  readonly level: "review" | "block";
  /** What decided it, such as `github.com, trust.yaml:3`. */
  readonly rule: string;
  readonly candidate: ReviewCandidate;
  /** The digest of the version that is served; undefined when none is. */
  readonly served: string | undefined;
  /** Why an approved version cannot be served; absent when there is no reason. */
  readonly problem?: string;
}

/** Says why a skill is not served, and how it is approved. */
export function notApprovedRefusal({ name, level, rule }: ReviewedSkill): Refusal {
  const why =
    level === "block"
      ? `is blocked by the rule ${rule}`
      : `is held back until somebody approves it (rule ${rule}). To approve it, run: skills-mcp approve ${name}`;
  return new Refusal(`Skill '${name}' ${why}.`, { code: "held-skill", name });
}
