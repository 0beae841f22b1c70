import path from "node:path";
import type { ValidatedFile } from "#check";
import type { Finding } from "#skills";
import { count, printable, type Style } from "../text.ts";

export interface ValidationView {
  /** Files are shown relative to it. */
  readonly cwd: string;
  /** Only errors, and nothing where there are none. */
  readonly quiet?: boolean;
  /** What was checked, where the user did not say. */
  readonly paths?: readonly string[];
}

/** What `validate` prints: one line for each finding, `file:line` first so that editors can jump there. */
export function renderValidation(
  files: readonly ValidatedFile[],
  { cwd, quiet = false, paths = [] }: ValidationView,
  style: Style,
): string {
  const lines = files.flatMap(({ file, findings, name, hostFields }) => {
    const shown = printable(shorter(file, cwd));
    if (findings.length > 0)
      return findings
        .filter(({ severity }) => !quiet || severity === "error")
        .map((finding) => renderFinding(shown, finding, style));
    if (quiet) return [];
    const notes = [
      ...(name === undefined ? [] : [name]),
      ...(hostFields === undefined ? [] : [`fields of hosts: ${hostFields.join(", ")}`]),
    ];
    const note = notes.length === 0 ? "" : style.dim(` (${printable(notes.join("; "))})`);
    return [`${style.green("ok")}      ${shown}${note}`];
  });
  if (quiet) return lines.map((line) => `${line}\n`).join("");
  const places = paths.map((each) => printable(shorter(each, cwd))).join(", ");
  return `${[...lines, "", ...rulesOf(files), summary(files, places)].join("\n")}\n`;
}

function renderFinding(file: string, { severity, line, message, rule }: Finding, style: Style): string {
  const kind = severity === "error" ? style.red("error ") : style.yellow("advice");
  const place = line === undefined ? file : `${file}:${line}`;
  return `${kind}  ${place}  ${printable(message)} ${style.dim(`[${rule}]`)}`;
}

/** How often each rule is broken, the most frequent first; one of a kind says nothing new. */
function rulesOf(files: readonly ValidatedFile[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { severity, rule } of files.flatMap(({ findings }) => findings)) {
    const key = `${severity === "error" ? "error " : "advice"}  ${rule}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  if ([...counts.values()].every((number) => number === 1)) return [];
  const ordered = [...counts].sort(([a, some], [b, others]) => others - some || (a < b ? 1 : -1));
  const digits = String(ordered[0]?.[1] ?? 0).length;
  return [...ordered.map(([key, number]) => `${String(number).padStart(digits)} × ${key}`), ""];
}

/** `2 files checked: 1 error, 1 advice.` */
export function summary(files: readonly ValidatedFile[], places = ""): string {
  const all = files.flatMap((file) => file.findings);
  const errors = all.filter((finding) => finding.severity === "error").length;
  const where = places === "" ? "" : ` in ${places}`;
  return `${count(files.length, "file")} checked${where}: ${count(errors, "error")}, ${all.length - errors} advice.`;
}

/** Relative to the working directory, where it lies in it. */
export function shorter(file: string, cwd: string): string {
  const relative = path.relative(cwd, file);
  return relative === "" || relative.startsWith("..") || path.isAbsolute(relative) ? file : relative;
}
