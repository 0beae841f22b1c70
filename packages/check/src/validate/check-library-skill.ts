import path from "node:path";
import { declaredFilePath, findFile, ownFiles } from "#library";
import { checkInvisible, type LibrarySkill, parseLibrarySkill, readWholeAs, splitLines } from "#skills";
import { readInside } from "#util";
import { LARGEST_TEXT, type ValidatedFile } from "./check-folder.ts";
import { checkWriters } from "./check-writers.ts";

/** What is hidden in the text of a library skill and in the files that it declares itself, and who else may change it. */
export async function checkLibrarySkill(skill: LibrarySkill): Promise<readonly ValidatedFile[]> {
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
  return checked.filter(({ findings }) => findings.length > 0);
}

async function checkBody({ realFile }: LibrarySkill) {
  const loaded = await readWholeAs(realFile, parseLibrarySkill);
  if (!loaded.ok) return [];
  const { text, skill } = loaded;
  return checkInvisible(text.slice(skill.bodyStart), splitLines(text.slice(0, skill.bodyStart)).length);
}
