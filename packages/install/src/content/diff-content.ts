import { createTwoFilesPatch } from "diff";
import type { SkillContent } from "#skills";

/** A unified diff of some files of two states of a skill. */
export function diffContent(before: SkillContent, after: SkillContent, files: readonly string[]): string {
  return [...files]
    .sort()
    .map((file) => patchOf(file, before, after))
    .join("");
}

function patchOf(file: string, before: SkillContent, after: SkillContent): string {
  const [old, now] = [before.get(file)?.bytes, after.get(file)?.bytes];
  if (old?.includes(0) === true || now?.includes(0) === true) return `Binary file ${file} differs\n`;
  const names = [
    old === undefined ? "/dev/null" : `a/${file}`,
    now === undefined ? "/dev/null" : `b/${file}`,
  ] as const;
  return createTwoFilesPatch(names[0], names[1], old?.toString() ?? "", now?.toString() ?? "").replace(
    /^=+\n/,
    "",
  );
}
