import type { SkillDetail } from "#server/wire";

/** Lines that a person has to write, and where. */
export interface ToWrite {
  readonly where: string;
  readonly text: string;
}

const DESCRIPTION = "description: What it does. Use when …";

/** What is missing in the file of a skill, so that it can be copied; undefined where the message says it all. */
export function whatToWrite({ name, diagnostics, source, file }: SkillDetail): ToWrite | undefined {
  const codes = new Set(diagnostics.filter((each) => each.file === file).map(({ code }) => code));
  const folder =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-+|-+$/g, "") || "my-skill";
  if (codes.has("no-front-matter"))
    return { where: "Before line 1", text: `---\nname: ${folder}\n${DESCRIPTION}\n---\n` };
  const missing = [
    ...(codes.has("missing-name") ? [`name: ${folder}`] : []),
    ...(codes.has("missing-description") ? [DESCRIPTION] : []),
  ];
  const end = closingLine(source?.text ?? "");
  if (missing.length > 0)
    return {
      where: end === undefined ? "In the front matter" : `Before line ${end}`,
      text: missing.join("\n"),
    };
  if (codes.has("front-matter-unclosed"))
    return { where: `Before line ${firstTextLine(source?.text ?? "")}`, text: "---" };
  return undefined;
}

/** The line that ends the front matter. */
function closingLine(text: string): number | undefined {
  const at = text.split("\n").findIndex((line, index) => index > 0 && /^---\s*$/.test(line));
  return at < 0 ? undefined : at + 1;
}

/** The first line below the fields of a front matter that nobody closed. */
function firstTextLine(text: string): number {
  const at = text
    .split("\n")
    .findIndex((line, index) => index > 0 && !/^(?:[\w-]+\s*:|\s+\S|-\s)/.test(line));
  return at < 0 ? 2 : at + 1;
}
