/** A hand-made bad skill: what is wrong with it, and its files. */
export interface BadSkill {
  /** The category of a rule that must find it. */
  readonly category: string;
  readonly title: string;
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** Paths of files that may be run. */
  readonly executable: readonly string[];
}

interface More {
  readonly name?: string;
  readonly description?: string;
  /** More lines of the front matter. */
  readonly fields?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly executable?: readonly string[];
}

/** A skill that looks like many others, with one bad thing in its body or in its other files. */
export function bad(category: string, title: string, body: string, more: More = {}): BadSkill {
  const { name = "weekly-report", description = "Writes the weekly report from the notes of a team." } = more;
  const { fields = "", files = {}, executable = [] } = more;
  const head = `---\nname: ${name}\ndescription: ${description}\n${fields}---\n`;
  const text = `${head}\n# How to do it\n\nRead the notes first.\n\n${body}\n\n## Output\n\nA short text.\n`;
  return { category, title, name, files: { "SKILL.md": text, ...files }, executable };
}

/** Text in characters that no editor shows. */
export const tagged = (text: string): string =>
  Array.from(text, (char) => String.fromCodePoint(0xe0000 + (char.codePointAt(0) ?? 0))).join("");

/** Bits as zero-width characters. */
export const zeroWidth = (text: string): string =>
  Array.from(text, (char) =>
    Array.from({ length: 7 }, (_, bit) =>
      ((char.codePointAt(0) ?? 0) >> bit) % 2 === 1 ? "\u200b" : "\u200c",
    ).join(""),
  ).join("");

export const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** A made-up credential, in parts so that nobody takes this file for a leak. */
export const madeUp = (...parts: readonly string[]): string => parts.join("");
