import path from "node:path";
import { declaredFilePath, findFile, ownFiles } from "#library";
import { checkInvisible, type LibrarySkill, parseLibrarySkill, readWholeAs, splitLines } from "#skills";
import { readInside } from "#util";
import { asFindings } from "../audit-skills/as-findings.ts";
import { auditSkill } from "../audit-skills/audit-skill.ts";
import { libraryTarget } from "../audit-skills/audit-skills.ts";
import { LARGEST_TEXT, type ValidatedFile, withAudit } from "./check-folder.ts";
import { checkWriters } from "./check-writers.ts";

/**
 * What is hidden in the text of a library skill and in the files that it declares itself, who else may change it, and what
 * the audit finds in it.
 */
export async function checkLibrarySkill(
  skill: LibrarySkill,
  ignore: readonly string[] = [],
): Promise<readonly ValidatedFile[]> {
  const findings = [...(await checkBody(skill)), ...(await checkWriters(skill.realFile))];
  const checked: ValidatedFile[] = [{ file: skill.file, name: skill.path, findings }];
  const alone = { skills: new Map([[skill.path, skill]]) };
  const { assets, scripts } = ownFiles(skill);
  for (const { file } of [...assets, ...scripts]) {
    const found = findFile(alone, skill, file);
    if (found === undefined) continue;
    // Whatever cannot be read is not served either, and reported where it is declared.
    const bytes = await readInside(declaredFilePath(found), LARGEST_TEXT).catch(() => undefined);
    if (bytes === undefined || bytes.includes(0)) continue;
    const shown = path.join(skill.file.replace(/\.md$/, ""), ...file.split("/"));
    checked.push({ file: shown, name: skill.path, findings: checkInvisible(bytes.toString("utf8")) });
  }
  const target = libraryTarget(skill);
  const audited = asFindings(await auditSkill(target, { ignore }));
  return withAudit(checked, audited, target.dir).filter(({ findings }) => findings.length > 0);
}

async function checkBody({ realFile }: LibrarySkill) {
  const loaded = await readWholeAs(realFile, parseLibrarySkill);
  if (!loaded.ok) return [];
  const { text, skill } = loaded;
  return checkInvisible(text.slice(skill.bodyStart), splitLines(text.slice(0, skill.bodyStart)).length);
}
