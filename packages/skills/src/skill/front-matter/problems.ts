import type { Problem } from "../diagnostic.ts";

/** Problems of the block as a whole, each with the way out. */

export function noFrontMatter(): Problem {
  return {
    code: "no-front-matter",
    message:
      "No front matter. Start the file with a `---` line, then `name:` and `description:` lines and a closing `---` line.",
    line: 1,
  };
}

export function frontMatterLanguage(language: string): Problem {
  return {
    code: "front-matter-language",
    message: `Front matter is marked as "${language}", but only YAML is supported and front matter is never executed. Open it with a plain \`---\` line.`,
  };
}

export function frontMatterTooLong(limit: number): Problem {
  return {
    code: "front-matter-too-long",
    message: `Front matter exceeds the limit of ${limit.toLocaleString("en-US")} characters. Close it with a \`---\` line and move long text below that line.`,
  };
}

export function tooManyLines(limit: number): Problem {
  return {
    code: "front-matter-too-long",
    message: `Front matter exceeds the limit of ${limit.toLocaleString("en-US")} lines, which applies unless all are plain \`key: value\` lines. Move long text below the closing \`---\` line.`,
  };
}

export function unclosed(line: number): Problem {
  return {
    code: "front-matter-unclosed",
    message: `Front matter that opens on line ${line} is never closed. Add a \`---\` line, not indented, before the text of the skill.`,
    line,
  };
}

export function textBefore(line: number): Problem {
  return {
    code: "text-before-front-matter",
    message: `Text comes before the front matter on line ${line}. Make \`---\` the first line of the file.`,
    line,
  };
}
