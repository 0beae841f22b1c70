import path from "node:path";
import { isSettled, listSkillFiles, type Skill, type Snapshot } from "#skills";
import { lstat, runQueue } from "#util";
import { checkFolder, type ValidatedFile } from "./check-folder.ts";
import { checkLibrarySkill } from "./check-library-skill.ts";
import { joinFindings } from "./join-findings.ts";

const SKILLS_AT_ONCE = 16;

/** What `validate` finds in the skills of a snapshot, without what the scan has reported already and as badly. */
export type CheckCatalog = (snapshot: Snapshot) => Promise<readonly ValidatedFile[]>;

/** Each snapshot is checked once, and of that only the skills in which a file has changed since they were checked. */
export function createCatalogChecks(
  ignored: () => Promise<readonly string[]> = async () => [],
  now: () => number = Date.now,
): CheckCatalog {
  const bySkill = new WeakMap<Skill, { readonly key: string; readonly results: readonly ValidatedFile[] }>();
  const bySnapshot = new WeakMap<Snapshot, Promise<readonly ValidatedFile[]>>();

  async function check(skill: Skill, ignore: readonly string[]): Promise<readonly ValidatedFile[]> {
    const { files } = await listSkillFiles(skill, { hidden: true });
    const isKnowable = files.every((file) => isSettled(file, now()));
    const folder = await lstat(skill.realDir).catch(() => undefined);
    const key = [
      `${folder?.mode} ${folder?.uid} ${folder?.gid}`,
      ...files.map(({ names, fingerprint }) => `${names.join("/")} ${fingerprint}`),
    ].join("\n");
    const known = bySkill.get(skill);
    if (known !== undefined && isKnowable && known.key === key) return known.results;
    // A file that goes at this moment is gone with the next scan.
    const results = await checkFolder(path.join(skill.dir, skill.fileName), { ignore }).catch(() => []);
    bySkill.set(skill, { key, results });
    return results;
  }

  async function checkAll({ catalog, library, diagnostics }: Snapshot): Promise<readonly ValidatedFile[]> {
    const { entries } = catalog;
    const ignore = await ignored();
    const results: (readonly ValidatedFile[])[] = Array.from({ length: entries.length });
    await runQueue(entries.entries(), SKILLS_AT_ONCE, async ([at, { skill }]) => {
      results[at] = await check(skill, ignore);
    });
    await runQueue([...library.skills.values()].entries(), SKILLS_AT_ONCE, async ([at, skill]) => {
      results[entries.length + at] = await checkLibrarySkill(skill, ignore);
    });
    return joinFindings(diagnostics, results.flat()).files;
  }

  return (snapshot) => {
    const known = bySnapshot.get(snapshot);
    if (known !== undefined) return known;
    const checked = checkAll(snapshot);
    bySnapshot.set(snapshot, checked);
    return checked;
  };
}
