import path from "node:path";
import type { ValidatedFile, ValidationFinding } from "../../app/validate/validate-paths.ts";
import { count, printable, type Style } from "./text.ts";

/** What `validate` prints: one line for each finding, `file:line` first so that editors can jump there. */
export function renderValidation(files: readonly ValidatedFile[], cwd: string, style: Style): string {
  const lines = files.flatMap(({ file, findings, name }) => {
    const shown = printable(shorter(file, cwd));
    if (findings.length === 0)
      return [
        `${style.green("ok")}      ${shown}${name === undefined ? "" : style.dim(` (${printable(name)})`)}`,
      ];
    return findings.map((finding) => renderFinding(shown, finding, style));
  });
  return `${[...lines, "", summary(files)].join("\n")}\n`;
}

function renderFinding(
  file: string,
  { severity, line, message, rule }: ValidationFinding,
  style: Style,
): string {
  const kind = severity === "error" ? style.red("error ") : style.yellow("advice");
  const place = line === undefined ? file : `${file}:${line}`;
  return `${kind}  ${place}  ${printable(message)} ${style.dim(`[${rule}]`)}`;
}

function summary(files: readonly ValidatedFile[]): string {
  const all = files.flatMap((file) => file.findings);
  const errors = all.filter((finding) => finding.severity === "error").length;
  return `${count(files.length, "file")} checked: ${count(errors, "error")}, ${all.length - errors} advice.`;
}

function shorter(file: string, cwd: string): string {
  const relative = path.relative(cwd, file);
  return relative === "" || relative.startsWith("..") || path.isAbsolute(relative) ? file : relative;
}
