import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

const KEYWORDS_PER_SKILL = 8;
const AREAS = 97;
const SYLLABLES =
  "re act or ion auth en ti ca tor com po nent data base que ry form test ing de ploy log".split(" ");

/** Writes a library of `count` Markdown files with keywords, the same ones every time, and returns tasks to ask it for. */
export function writeLibrary(dir: string, count: number): readonly string[] {
  for (let area = 0; area < Math.min(AREAS, count); area++) {
    mkdirSync(path.join(dir, `area-${area}`), { recursive: true });
  }
  const tasks: string[] = [];
  for (let index = 0; index < count; index++) {
    const keywords = Array.from({ length: KEYWORDS_PER_SKILL }, (_, place) =>
      keyword(index * 31 + place * 7_919),
    );
    const head = `---\nkeywords: [${keywords.join(", ")}]\ndescription: Rules of topic ${index}\npriority: ${index % 5}\n---\n`;
    const body = `\n# Topic ${index}\n\n${"- Prefer small reversible steps and verify each one.\n".repeat(30)}`;
    writeFileSync(path.join(dir, `area-${index % AREAS}`, `topic-${index}.md`), head + body);
    tasks.push(`${keywords.slice(0, 3).join(" ")} in the shop`);
  }
  return tasks;
}

/** Three syllables, chosen by a number. */
function keyword(number: number): string {
  const syllable = (value: number): string => SYLLABLES[value % SYLLABLES.length] ?? "";
  return syllable(number) + syllable(Math.floor(number / 21)) + syllable(Math.floor(number / 441));
}
