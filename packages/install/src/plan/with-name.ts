import { cutFields, findFrontMatter, parseSkill, type SkillContent } from "#skills";

/** The files of a skill whose SKILL.md says another name. As they are, if that cannot be written without changing more. */
export function withName(content: SkillContent, fileName: string, name: string): SkillContent {
  const file = content.get(fileName);
  if (file === undefined) return content;
  const text = renamed(file.bytes.toString("utf8"), name);
  if (text === undefined) return content;
  return new Map(content).set(fileName, { ...file, bytes: Buffer.from(text) });
}

function renamed(text: string, name: string): string | undefined {
  const { split } = findFrontMatter(text);
  if ("problem" in split) return undefined;
  const { start, end } = split.block;
  const source = text.slice(start, end);
  const field = cutFields(source).find(({ key }) => key === "name");
  if (field === undefined) return undefined;
  const lines = source.split(/(?<=\n)/);
  const [lineEnd = ""] = /\r?\n$/.exec(lines[field.line] ?? "") ?? [];
  // A value may go on below its key; comments and empty lines there stay.
  const rest = field.rest.filter((line) => line.trim() !== "" && !line.trimStart().startsWith("#"));
  lines.splice(field.line, 1 + rest.length, `name: ${name}${lineEnd}`);
  const result = text.slice(0, start) + lines.join("") + text.slice(end);
  const [before, after] = [parseSkill(text), parseSkill(result)];
  const isRight =
    before.ok &&
    after.ok &&
    after.skill.name === name &&
    after.skill.description === before.skill.description;
  return isRight ? result : undefined;
}
