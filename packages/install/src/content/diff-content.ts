import { createTwoFilesPatch } from "diff";
import type { SkillContent } from "#skills";

/** A unified diff of some files of two states of a skill. */
export function diffContent(before: SkillContent, after: SkillContent, files: readonly string[]): string {
  const patches = [...files].sort().map((file) => {
    const [old, now] = [before.get(file)?.bytes, after.get(file)?.bytes];
    if (old?.includes(0) === true || now?.includes(0) === true) return `Binary file ${file} differs\n`;
    const from = old === undefined ? "/dev/null" : `a/${file}`;
    const to = now === undefined ? "/dev/null" : `b/${file}`;
    return createTwoFilesPatch(from, to, old?.toString() ?? "", now?.toString() ?? "").replace(/^=+\n/, "");
  });
  return patches.join("");
}
