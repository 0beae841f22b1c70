import type { SkillDetail } from "#server/wire";

/** Lines that are missing, and where. */
export interface ToWrite {
  readonly where: string;
  readonly text: string;
  /** Before which line, where that is known. */
  readonly line?: number;
  /** Nothing in the file says what the skill does: a person has to. */
  readonly isTemplate: boolean;
}

const TEMPLATE = "What it does. Use when …";
const LONGEST_DESCRIPTION = 300;

/** What is missing in the file of a skill; undefined where the message says it all. */
export function whatToWrite({ name, diagnostics, source, file }: SkillDetail): ToWrite | undefined {
  const codes = new Set(diagnostics.filter((each) => each.file === file).map(({ code }) => code));
  const text = source?.text ?? "";
  const folder =
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-+|-+$/g, "") || "my-skill";
  const said = descriptionIn(text);
  const description = `description: ${quoted(said ?? TEMPLATE)}`;
  const isTemplate = said === undefined;
  if (codes.has("no-front-matter"))
    return {
      where: "Before line 1",
      text: `---\nname: ${folder}\n${description}\n---\n`,
      line: 1,
      isTemplate,
    };
  const isUndescribed = codes.has("missing-description");
  const missing = [
    ...(codes.has("missing-name") ? [`name: ${folder}`] : []),
    ...(isUndescribed ? [description] : []),
  ];
  const end = closingLine(text);
  if (missing.length > 0)
    return {
      where: end === undefined ? "In the front matter" : `Before line ${end}`,
      text: missing.join("\n"),
      ...(end === undefined ? {} : { line: end }),
      isTemplate: isUndescribed && isTemplate,
    };
  if (codes.has("front-matter-unclosed")) {
    const line = firstTextLine(text);
    return { where: `Before line ${line}`, text: "---", line, isTemplate: false };
  }
  return undefined;
}

/** The text of a file with what is missing in it. */
export function withWritten(text: string, { text: missing, line = 1 }: ToWrite): string {
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split("\n");
  const written = `${missing.replace(/\n$/, "")}\n`.replaceAll("\n", lineEnd);
  const before = lines.slice(0, line - 1).map((each) => `${each}\n`);
  return before.join("") + written + lines.slice(line - 1).join("\n");
}

/** What the text says first, below its front matter: a sentence, or else its title. */
function descriptionIn(text: string): string | undefined {
  const end = closingLine(text);
  const isHead = /^\ufeff?---\s*$/.test(text.split("\n", 1)[0] ?? "");
  const body = text.split("\n").slice(isHead ? (end ?? firstTextLine(text) - 1) : 0);
  const lines = body.map((line) => line.trim());
  const sentence = lines.find((line) => /^[\p{L}\p{N}`*_"'([]/u.test(line));
  const title = lines.find((line) => /^#+ +\S/.test(line))?.replace(/^#+ +/, "");
  return (sentence ?? title)?.slice(0, LONGEST_DESCRIPTION);
}

/** As YAML reads it. */
function quoted(text: string): string {
  return /^[\p{L}\p{N}][^:#"'\\]*$/u.test(text) ? text : JSON.stringify(text);
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
