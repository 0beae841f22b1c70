import path from "node:path";
import type { ALL_RULES, AuditFinding, SkillAudit } from "#check";
import { compareSeverity, SEVERITIES, type Severity } from "#skills";
import { compareText } from "#util/pure";
import { fitLines, section, wrap } from "../layout.ts";
import { count, type Look, printable, type Style, shortPath } from "../text.ts";
import { shorter } from "../validate/report.ts";

/** An audit with the findings that are shown, and how many are not. */
export interface ShownAudit extends SkillAudit {
  readonly suppressed: readonly AuditFinding[];
}

export interface AuditView {
  readonly cwd: string;
  readonly home: string;
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

/** What `audit` prints for people: what was found, the worst first, with why it matters once for all skills that have it. */
export function renderAudit(audits: readonly ShownAudit[], view: AuditView, { width, style }: Look): string {
  const groups = new Map<string, { readonly finding: AuditFinding; readonly places: string[] }>();
  for (const { name, dir, findings } of audits) {
    for (const finding of findings.filter(({ severity }) => isShown(severity, view.least))) {
      const { severity, rule, message } = finding;
      const key = JSON.stringify([SEVERITIES.length - SEVERITIES.indexOf(severity), rule, message]);
      const group = groups.get(key) ?? { finding, places: [] };
      groups.set(key, group);
      group.places.push(...placeLines(finding, name, dir, view, style));
    }
  }
  const ordered = [...groups].sort(([a], [b]) => compareText(a, b)).map(([, group]) => group);
  const parts = ordered.flatMap(({ finding: { severity, rule, message }, places }) => [
    `${style[COLOURS[severity]](severity)}  ${style.bold(printable(rule))}`,
    ...wrap(printable(message), Math.max(1, (width ?? Number.POSITIVE_INFINITY) - 2)).map(
      (line) => `  ${line}`,
    ),
    ...places,
    "",
  ]);
  return fitLines(`${[...parts, summary(audits, view, style)].join("\n")}\n`, width);
}

/** Where one finding is, and what stands there. */
function placeLines(
  { file, line, excerpt }: AuditFinding,
  name: string,
  dir: string,
  { cwd, home }: AuditView,
  style: Style,
): readonly string[] {
  const full = path.join(dir, ...file.split("/"));
  const near = shorter(full, cwd);
  const shown = near === full ? shortPath(full, home) : near;
  const place = line === undefined ? shown : `${shown}:${line}`;
  return [
    `  ${printable(name)}  ${style.dim(printable(place))}`,
    ...(excerpt === undefined ? [] : [`    ${style.dim(">")} ${printable(excerpt)}`]),
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
export function summary(
  audits: readonly ShownAudit[],
  { least }: Pick<AuditView, "least">,
  style: Style,
): string {
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
      : [`${count(hidden, "finding")} below ${least} not shown: --all-severities shows all.`]),
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
