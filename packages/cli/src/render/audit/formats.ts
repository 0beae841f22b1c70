import path from "node:path";
import { ALL_RULES, type AuditFinding } from "#check";
import { isAtLeast, type Severity } from "#skills";
import { VERSION } from "#util";
import { printable } from "../text.ts";
import { githubCommand, ourPage, uriOf } from "../validate/formats.ts";
import { shorter } from "../validate/report.ts";
import { type AuditView, type ShownAudit, summary } from "./report.ts";

/** The numbers that code scanners sort by: those of CVSS. */
const SCORES: Readonly<Record<Severity, string>> = {
  critical: "9.5",
  high: "8.0",
  medium: "5.0",
  low: "2.0",
  info: "0.0",
};

interface Located {
  /** Absolute path. */
  readonly file: string;
  readonly finding: AuditFinding;
}

/** The audit as SARIF 2.1.0: one run for our rules, and one for each other scanner. Suppressed findings are marked as such. */
export function auditSarif(audits: readonly ShownAudit[], cwd: string): object {
  const all = audits.flatMap(({ dir, findings, suppressed }) =>
    [...findings, ...suppressed].map((finding): Located => {
      return { file: path.join(dir, ...finding.file.split("/")), finding };
    }),
  );
  const scanners = [...new Set(all.map(({ finding }) => scannerOf(finding)))]
    .filter((name) => name !== "")
    .sort();
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: ["", ...scanners].map((name) =>
      runOf(
        name,
        all.filter(({ finding }) => scannerOf(finding) === name),
        cwd,
      ),
    ),
  };
}

/** The scanner that a finding is from; empty for our own rules, whose ids have no `/`. */
function scannerOf({ rule }: AuditFinding): string {
  return rule.includes("/") ? (rule.split("/")[0] ?? "") : "";
}

function runOf(scanner: string, located: readonly Located[], cwd: string): object {
  const used = [...new Set(located.map(({ finding }) => finding.rule))].sort();
  const rules = scanner === "" ? ALL_RULES.map(({ id }) => id).sort() : used;
  const driver =
    scanner === ""
      ? {
          name: "skills-mcp",
          version: VERSION,
          ...ourPage("informationUri", "#readme"),
          rules: rules.map(ruleOf),
        }
      : { name: scanner, rules: rules.map((id) => ({ id })) };
  const results = located.map(({ file, finding }) => resultOf(file, finding, rules, cwd));
  return { tool: { driver }, columnKind: "utf16CodeUnits", results };
}

function ruleOf(id: string): object {
  const rule = ALL_RULES.find((each) => each.id === id);
  if (rule === undefined) return { id };
  return {
    id,
    shortDescription: { text: rule.title },
    fullDescription: { text: `${rule.why} ${rule.fix}` },
    ...ourPage("helpUri", `/blob/HEAD/docs/reference/audit-rules.md#${id}`),
    defaultConfiguration: { level: levelOf(rule.severity) },
    properties: { "security-severity": SCORES[rule.severity], tags: ["security", rule.category] },
  };
}

function resultOf(file: string, finding: AuditFinding, rules: readonly string[], cwd: string): object {
  const { rule, severity, line, excerpt, message, suppressed } = finding;
  const region =
    line === undefined
      ? {}
      : { region: { startLine: line, ...(excerpt === undefined ? {} : { snippet: { text: excerpt } }) } };
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level: levelOf(severity),
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file, cwd) }, ...region } }],
    properties: { severity, "security-severity": SCORES[severity] },
    ...(suppressed === undefined
      ? {}
      : {
          suppressions: [
            {
              kind: suppressed.by === "comment" ? "inSource" : "external",
              justification: suppressed.reason,
            },
          ],
        }),
  };
}

function levelOf(severity: Severity): "error" | "warning" | "note" {
  if (isAtLeast(severity, "high")) return "error";
  return severity === "medium" ? "warning" : "note";
}

/** The audit as workflow commands, which GitHub shows at the lines of a pull request. */
export function renderAuditGithub(
  audits: readonly ShownAudit[],
  view: AuditView,
  plain: Parameters<typeof summary>[2],
): string {
  const lines = audits.flatMap(({ dir, findings }) =>
    findings
      .filter(({ severity }) => isAtLeast(severity, view.least))
      .map(({ severity, rule, file, line, message, excerpt }) => {
        const level = levelOf(severity);
        return githubCommand(level === "note" ? "notice" : level, {
          file: shorter(path.join(dir, ...file.split("/")), view.cwd),
          line,
          title: `${severity}: ${rule}`,
          message: excerpt === undefined ? message : `${message} Found: ${excerpt}`,
        });
      }),
  );
  return `${[...lines, ...summary(audits, view, plain).split("\n")].map(printable).join("\n")}\n`;
}
