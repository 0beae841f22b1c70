import type { LibrarySkillInfo, OfferedFile } from "../../app/library/library-info.ts";
import { diagnosticLine } from "../../skill/diagnostic.ts";
import { printable } from "./columns.ts";
import { section, sizeOf, wrap } from "./paragraphs.ts";
import { librarySkillJson } from "./skill-json.ts";
import type { Style } from "./style.ts";

/** What `info --json` prints of a library skill. */
export function libraryInfoJson({ skill, inherits, files, diagnostics }: LibrarySkillInfo) {
  return {
    ...librarySkillJson(skill),
    priority: skill.priority,
    inherit: skill.inherit,
    inherits: inherits.map(({ path }) => path),
    files,
    diagnostics,
  };
}

/** What `info` prints of a library skill for people. */
export function renderLibraryInfo(
  { skill, inherits, files, diagnostics }: LibrarySkillInfo,
  width: number | undefined,
  style: Style,
): string {
  const field = (label: string, value: string): string =>
    `${style.dim(label.padEnd(10))} ${printable(value)}`;
  const lines = [
    style.bold(printable(skill.path)),
    ...wrap(printable(skill.description), width ?? 100),
    "",
    field("Provider", "library"),
    field("File", skill.file),
    field("Keywords", skill.keywords.join(", ")),
    ...(skill.priority === 0 ? [] : [field("Priority", String(skill.priority))]),
    ...(skill.inherit ? [] : [field("Inherits", "nothing (inherit: false)")]),
    ...section(
      "Inherits, the most general first",
      inherits.map(({ path, description }) => `${printable(path)}  ${style.dim(printable(description))}`),
    ),
    ...section(
      "Files",
      files.map((file) => fileLine(file, style)),
    ),
    ...section(
      "To fix",
      diagnostics.map((diagnostic) => style.yellow(printable(diagnosticLine(diagnostic)))),
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function fileLine({ kind, file, from, bytes, problem }: OfferedFile, style: Style): string {
  const origin = from === undefined ? "" : `, from ${from}`;
  const size = bytes === undefined ? "" : `, ${sizeOf(bytes)}`;
  const wrong = problem === undefined ? "" : `  ${style.yellow(printable(problem))}`;
  return `${printable(file)}  ${style.dim(printable(`${kind}${size}${origin}`))}${wrong}`;
}
