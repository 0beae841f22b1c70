import path from "node:path";
import type { ALL_RULES, AuditFinding, SkillAudit } from "#check";
import { compareSeverity, SEVERITIES, type Severity, worstSeverity } from "#skills";
import { section } from "../layout.ts";
import { count, printable, type Style } from "../text.ts";
import { shorter } from "../validate/report.ts";

/** An audit with the findings that are shown, and how many are not. */
export interface ShownAudit extends SkillAudit {
  readonly suppressed: readonly AuditFinding[];
}

export interface AuditView {
  readonly cwd: string;
  /** Milder findings are only counted. */
  readonly least: Severity;
}

const COLOURS: Readonly<Record<Severity, Exclude<keyof Style, "bold">>> = {
  critical: "red",
  high: "red",
  medium: "yellow",
  low: "cyan",
  info: "dim",
};

/** What `audit` prints for people: the worst skills first, then what was found, why it matters and what to do. */
export function renderAudit(audits: readonly ShownAudit[], { cwd, least }: AuditView, style: Style): string {
  const withFindings = audits.filter(({ findings }) =>
    findings.some(({ severity }) => isShown(severity, least)),
  );
  const ordered = [...withFindings].sort(
    (a, b) => rank(b) - rank(a) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  );
  const parts = ordered.map(({ name, dir, findings }) => {
    const shown = findings.filter(({ severity }) => isShown(severity, least));
    const place = shorter(dir, cwd);
    const where = place === name ? "" : `  ${style.dim(printable(place))}`;
    const head = `${style.bold(printable(name))}${where}`;
    return [head, ...shown.flatMap((finding) => renderFinding(finding, dir, cwd, style)), ""];
  });
  return `${[...parts.flat(), summary(audits, { cwd, least }, style)].join("\n")}\n`;
}

function renderFinding(finding: AuditFinding, dir: string, cwd: string, style: Style): readonly string[] {
  const { severity, file, line, rule, message, excerpt } = finding;
  const place = shorter(path.join(dir, ...file.split("/")), cwd);
  const at = line === undefined ? place : `${place}:${line}`;
  return [
    `  ${style[COLOURS[severity]](severity.padEnd(8))}  ${printable(at)}  ${style.dim(`[${printable(rule)}]`)}`,
    ...(excerpt === undefined ? [] : [`            ${style.dim(">")} ${printable(excerpt)}`]),
    `            ${printable(message)}`,
  ];
}

/** What `audit --explain` prints. */
export function renderRule(rule: (typeof ALL_RULES)[number], style: Style): string {
  const { id, category, severity, title, why, fix } = rule;
  return [
    `${style.bold(id)}  ${style.dim(category)}  usually ${style[COLOURS[severity]](severity)}`,
    `Finds: ${title}.`,
    `Why: ${why}`,
    `What to do: ${fix}`,
    `A finding weighs more or less by where it stands. To say that one is fine: audit-ignore: ${id} -- <reason>, in a comment right before it.`,
    "",
  ].join("\n");
}

/** What `info` shows of an audit: a line for each finding. */
export function renderRisks(findings: readonly AuditFinding[], style: Style): string {
  const shown = findings.filter(({ severity }) => severity !== "info");
  const lines = section("Audit", shown, ({ severity, file, line, message, rule }) => {
    const at = line === undefined ? file : `${file}:${line}`;
    return `${style[COLOURS[severity]](severity.padEnd(8))}  ${printable(at)}  ${printable(message)} ${style.dim(`[${printable(rule)}]`)}`;
  });
  return lines.map((text) => `${text}\n`).join("");
}

/** `12 skills audited: 1 critical, 2 high, 4 medium.` */
export function summary(audits: readonly ShownAudit[], { least }: AuditView, style: Style): string {
  const all = audits.flatMap(({ findings }) => findings);
  const counts = [...SEVERITIES].reverse().flatMap((severity) => {
    const number = all.filter((finding) => finding.severity === severity).length;
    return number === 0 ? [] : [{ severity, text: `${number} ${severity}` }];
  });
  const found =
    counts.length === 0
      ? style.green("nothing found")
      : counts.map(({ severity, text }) => style[COLOURS[severity]](text)).join(", ");
  const hidden = all.filter(({ severity }) => !isShown(severity, least)).length;
  const suppressed = audits.flatMap((audit) => audit.suppressed);
  const byComment = suppressed.filter((finding) => finding.suppressed?.by === "comment").length;
  const notes = [
    ...(hidden === 0
      ? []
      : [`${count(hidden, "finding")} below ${least} not shown: --severity info shows all.`]),
    ...(suppressed.length === 0
      ? []
      : [
          `${count(suppressed.length, "finding")} suppressed (${byComment} by comments in the skills, ${suppressed.length - byComment} by your settings): --no-ignore shows them.`,
        ]),
  ];
  return [`${count(audits.length, "skill")} audited: ${found}.`, ...notes].join("\n");
}

function isShown(severity: Severity, least: Severity): boolean {
  return compareSeverity(severity, least) >= 0;
}

function rank({ findings }: ShownAudit): number {
  const worst = worstSeverity(findings);
  return worst === undefined ? -1 : SEVERITIES.indexOf(worst);
}
