import {
  type AuditTarget,
  auditSkills,
  ignoredRules,
  libraryTarget,
  type SkillAudit,
  servedTargets,
  targetOf,
} from "#check";
import type { Snapshot } from "#skills";
import { anyInfo } from "../skill-info.ts";

interface ServedAudit {
  /** None: every skill that is served. */
  readonly names: readonly string[];
  readonly home: string;
  readonly onDone?: (done: number, all: number) => void;
}

/** Audits skills that are served, by the names that load them. */
export async function auditServed(
  snapshot: Snapshot,
  { names, home, onDone }: ServedAudit,
): Promise<readonly SkillAudit[]> {
  const targets: AuditTarget[] = [];
  for (const name of names) {
    const info = await anyInfo(snapshot, name);
    targets.push(
      info.kind === "library"
        ? libraryTarget(info.skill)
        : { ...targetOf(info.entry.skill), name: info.entry.listedAs },
    );
  }
  return auditSkills(names.length === 0 ? servedTargets(snapshot) : targets, {
    ignore: await ignoredRules(home),
    ...(onDone === undefined ? {} : { onDone }),
  });
}
