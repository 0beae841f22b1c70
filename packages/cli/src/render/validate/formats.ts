import path from "node:path";
import { pathToFileURL } from "node:url";
import type { ValidatedFile } from "#check";
import { ownPackage, VERSION } from "#util";
import { printable } from "../text.ts";
import { shorter, summary } from "./report.ts";

/** Where to read about us, once a release says where that is. */
export function ourPage(key: "informationUri" | "helpUri", page: string): Readonly<Record<string, string>> {
  const { repository } = ownPackage();
  return repository === undefined ? {} : { [key]: `${repository}${page}` };
}

/** Findings as SARIF 2.1.0, which code scanners and editors read. */
export function sarifOf(files: readonly ValidatedFile[], cwd: string): object {
  const ids = [...new Set(files.flatMap(({ findings }) => findings.map(({ rule }) => rule)))].sort();
  const results = files.flatMap(({ file, findings }) =>
    findings.map(({ severity, rule, line, message }) => ({
      ruleId: rule,
      ruleIndex: ids.indexOf(rule),
      level: severity === "error" ? "error" : "note",
      message: { text: message },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: uriOf(file, cwd) },
            ...(line === undefined ? {} : { region: { startLine: line } }),
          },
        },
      ],
    })),
  );
  const driver = {
    name: "skills-mcp",
    version: VERSION,
    ...ourPage("informationUri", "#readme"),
    rules: ids.map((id) => ({ id, shortDescription: { text: id.replaceAll("-", " ") } })),
  };
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{ tool: { driver }, results }],
  };
}

/** Relative where the file lies in the working directory, because scanners match it with the repository's files. */
export function uriOf(file: string, cwd: string): string {
  const shown = shorter(file, cwd);
  if (path.isAbsolute(shown)) return pathToFileURL(file).href;
  return shown.split(path.sep).map(encodeURIComponent).join("/");
}

/** Findings as workflow commands, which GitHub shows at the lines of a pull request. */
export function renderGithub(files: readonly ValidatedFile[], cwd: string): string {
  const lines = files.flatMap(({ file, findings }) =>
    findings.map(({ severity, rule, line, message }) =>
      githubCommand(severity === "error" ? "error" : "notice", {
        file: shorter(file, cwd),
        line,
        title: rule,
        message,
      }),
    ),
  );
  return `${[...lines, summary(files)].map(printable).join("\n")}\n`;
}

interface Annotation {
  readonly file: string;
  readonly line: number | undefined;
  readonly title: string;
  readonly message: string;
}

/** One workflow command. */
export function githubCommand(
  level: "error" | "warning" | "notice",
  { file, line, title, message }: Annotation,
): string {
  const properties = [
    `file=${escapeProperty(file.split(path.sep).join("/"))}`,
    ...(line === undefined ? [] : [`line=${line}`]),
    `title=${escapeProperty(title)}`,
  ];
  return `::${level} ${properties.join(",")}::${escapeData(message)}`;
}

/** A line break would end the command, and what follows could be another one. */
export function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

export function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
