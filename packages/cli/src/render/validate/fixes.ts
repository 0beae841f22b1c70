import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import type { FixedFile } from "#check";
import { count, printable, type Style } from "../text.ts";
import { shorter } from "./report.ts";

const CONTEXT_LINES = 1;

/** The corrections as diffs. What cannot be seen in a terminal is shown by signs. */
export function renderFixes(
  fixed: readonly FixedFile[],
  { cwd, dryRun }: { readonly cwd: string; readonly dryRun: boolean },
  style: Style,
): string {
  if (fixed.length === 0) return "Nothing can be corrected without guessing.\n";
  const diffs = fixed.flatMap(({ file, before, after }) => {
    const shown = shorter(file, cwd);
    const patch = createTwoFilesPatch(shown, shown, before, after, "", "", {
      context: CONTEXT_LINES,
      headerOptions: FILE_HEADERS_ONLY,
    });
    return patch
      .split("\n")
      .slice(0, -1)
      .map((line) => paint(printable(visible(line)), style));
  });
  const done = dryRun ? "would be corrected; nothing was written" : "corrected";
  return `${diffs.join("\n")}\n\n${count(fixed.length, "file")} ${done}.\n\n`;
}

function visible(line: string): string {
  return line
    .replaceAll("\ufeff", "<BOM>")
    .replace(/[ \t]+(?=\r?$)/, (blanks) => "·".repeat(blanks.length))
    .replaceAll("\r", "␍");
}

function paint(line: string, style: Style): string {
  if (line.startsWith("+++") || line.startsWith("---")) return style.bold(line);
  if (line.startsWith("+")) return style.green(line);
  if (line.startsWith("-")) return style.red(line);
  return line.startsWith("@@") ? style.cyan(line) : line;
}
