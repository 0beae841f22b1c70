import path from "node:path";
import type { Entry, LibrarySkill, Skill, Snapshot } from "#skills";
import { SKILL_FOLDERS, traverseRoot } from "#skills";
import { createDirectDisk, describeError, isInside, monotonicMs, realpath, runQueue } from "#util";
import { defined, Refusal } from "#util/pure";
import type { AuditFinding } from "../audit/finding.ts";
import { auditSkill, ignoredRules } from "./audit-skill.ts";
import type { AuditedPlace } from "./read-audited-skill.ts";

/** Something to audit: a skill's folder, or one Markdown file of a library with the folder of its files. */
interface AuditTarget extends AuditedPlace {
  readonly name: string;
  /** Absolute, as people see it: the findings' files are below it. */
  readonly dir: string;
}

export interface SkillAudit {
  readonly name: string;
  readonly dir: string;
  readonly findings: readonly AuditFinding[];
}

/** Reading waits for the disk, so a few skills are on their way at a time. */
const SKILLS_AT_ONCE = 8;

/** Audits skills, in the order given. */
async function auditSkills(
  targets: readonly AuditTarget[],
  {
    ignore,
    onDone,
  }: { readonly ignore: readonly string[]; readonly onDone?: (done: number, all: number) => void },
): Promise<readonly SkillAudit[]> {
  const directDisk = createDirectDisk(monotonicMs);
  const audits: SkillAudit[] = Array.from({ length: targets.length });
  let done = 0;
  await runQueue(targets.entries(), SKILLS_AT_ONCE, async ([at, target]) => {
    const findings = await auditSkill(target, { ignore, directDisk });
    audits[at] = { name: target.name, dir: target.dir, findings };
    onDone?.(++done, targets.length);
  });
  return audits;
}

type SkillByName =
  | { readonly kind: "library"; readonly skill: LibrarySkill }
  | { readonly kind: "skill"; readonly entry: Entry };

interface ServedAudit {
  /** None: every skill that is served. */
  readonly names: readonly string[];
  /** The skill that a name loads; one that none has is a `Refusal`. */
  readonly find: (name: string) => Promise<SkillByName>;
  readonly home: string;
  readonly onDone?: ((done: number, all: number) => void) | undefined;
}

/** Audits skills that are served, by the names that load them. */
export async function auditServed(
  snapshot: Snapshot,
  { names, find, home, onDone }: ServedAudit,
): Promise<readonly SkillAudit[]> {
  const targets: AuditTarget[] = [];
  for (const name of names) {
    const found = await find(name);
    targets.push(
      found.kind === "library"
        ? libraryTarget(found.skill)
        : { ...targetOf(found.entry.skill), name: found.entry.listedAs },
    );
  }
  return auditSkills(names.length === 0 ? servedTargets(snapshot) : targets, {
    ignore: await ignoredRules(home),
    ...defined({ onDone }),
  });
}

/** The skills that are served, and those of libraries. */
function servedTargets({ catalog, library }: Snapshot): readonly AuditTarget[] {
  return [
    ...catalog.entries.map(({ skill, listedAs }) => ({ ...targetOf(skill), name: listedAs })),
    ...Array.from(library.skills.values(), libraryTarget),
  ];
}

function targetOf({ name, dir, realDir, linkedFile, fileName }: Skill): AuditTarget {
  return { name, dir, realDir, fileName, ...defined({ linkedFile }) };
}

/** A Markdown file of a library lies beside others, so only it and the folder of its own files are read. */
export function libraryTarget({ path: name, file, realFile, resourceDir }: LibrarySkill): AuditTarget {
  const fileName = path.basename(file);
  return {
    name,
    dir: path.dirname(file),
    realDir: path.dirname(realFile),
    fileName,
    only: { file: realFile, ...defined({ folder: resourceDir }) },
  };
}

/** Audits the skills at paths. */
export async function auditPaths(
  paths: readonly string[],
  { home, onDone }: { readonly home: string; readonly onDone: (done: number, all: number) => void },
): Promise<readonly SkillAudit[]> {
  const targets = (await Promise.all(paths.map(targetsAt))).flat();
  return auditSkills(targets, { ignore: paths.length === 0 ? [] : await ignoredRules(home), onDone });
}

/** The skills at a path: a SKILL.md, a skill's folder, or a folder of skills. */
async function targetsAt(given: string): Promise<readonly AuditTarget[]> {
  try {
    const isFile = SKILL_FOLDERS.isSkillFile(path.basename(given));
    const dir = isFile ? path.dirname(given) : given;
    const { files } = await traverseRoot(dir, SKILL_FOLDERS);
    const wanted = isFile ? files.filter((each) => path.join(each.dir, each.fileName) === given) : files;
    const targets = await Promise.all(wanted.map(targetOfFile));
    if (targets.length > 0) return targets;
  } catch (error) {
    const message = `${given} cannot be audited: ${describeError(error)}.`;
    throw new Refusal(message, { code: "bad-usage", flag: "<path>" }, { cause: error });
  }
  throw new Refusal(`There is no SKILL.md in or below ${given}.`, { code: "bad-usage", flag: "<path>" });
}

async function targetOfFile({
  dir,
  realDir,
  fileName,
  isLink,
}: Awaited<ReturnType<typeof traverseRoot>>["files"][number]): Promise<AuditTarget> {
  const target = { name: path.basename(dir), dir, realDir, fileName };
  if (!isLink) return target;
  const realFile = await realpath(path.join(realDir, fileName));
  return isInside(realDir, realFile) ? target : { ...target, linkedFile: realFile };
}
