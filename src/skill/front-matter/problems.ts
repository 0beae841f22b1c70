import type { Problem } from "../diagnostic.ts";

/** What is said about the block as a whole, each with the way out. */

export function noFrontMatter(): Problem {
  return {
    code: "no-front-matter",
    message:
      "There is no front matter. Begin the file with a line `---`, a `name:` line, a `description:` line and a closing line `---`.",
    line: 1,
  };
}

export function frontMatterLanguage(language: string): Problem {
  return {
    code: "front-matter-language",
    message: `The front matter is marked as "${language}", but front matter is data and never code: open it with a plain \`---\` and write it in YAML.`,
  };
}

export function frontMatterTooLong(limit: number): Problem {
  return {
    code: "front-matter-too-long",
    message: `The front matter does not end within ${limit.toLocaleString("en-US")} characters, the most that is read. Close it with a line \`---\` and move long text below that line.`,
  };
}

export function tooManyLines(limit: number): Problem {
  return {
    code: "front-matter-too-long",
    message: `The front matter has more than ${limit.toLocaleString("en-US")} lines, the most that is read unless all are plain \`key: value\` lines. Move long text below the closing line \`---\`.`,
  };
}

export function unclosed(line: number): Problem {
  return {
    code: "front-matter-unclosed",
    message: `The front matter that opens on line ${line} has no closing line; write \`---\`, not indented, on a line of its own before the text of the skill.`,
    line,
  };
}

export function textBefore(line: number): Problem {
  return {
    code: "text-before-front-matter",
    message: `There is text before the front matter, which opens on line ${line}; make \`---\` the first line of the file.`,
    line,
  };
}
