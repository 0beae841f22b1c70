import type { AuditFinding } from "#check";
import type { PlannedRevert, ReviewDetail, ReviewItem } from "#trust";
import { renderDiff } from "./install/plan.ts";
import { renderTable } from "./layout.ts";
import { count, type Look, printable, type Style } from "./text.ts";

const STATES: Readonly<Record<ReviewItem["state"], string>> = {
  new: "new, not served",
  changed: "changed, the approved version is served",
  approved: "approved",
  rejected: "rejected, what was approved before is served",
  blocked: "blocked, not served",
};

/** One line of `doctor` about a skill that is not served as its source holds it. */
export function notServedLine({ name, state, source, rule, findings, problem }: ReviewItem): string {
  const worst = findings[0];
  const audit =
    worst === undefined
      ? ""
      : `. Audit: ${findings.length} found, the worst ${worst.severity} (${worst.rule})`;
  return `${name}: ${STATES[state]}. ${source} (rule ${rule})${audit}${problem === undefined ? "" : `. ${problem}`}`;
}

/** The table that `approve` prints without names. */
export function renderWaiting(skills: readonly ReviewItem[], { width, style }: Look): string {
  if (skills.length === 0) return `${NOTHING_WAITS}\n`;
  const rows = skills.map(({ name, state, source, rule }) =>
    [name, STATES[state], source, rule].map(printable),
  );
  const columns = [
    { title: "NAME", paint: style.bold },
    { title: "STATE", paint: style.yellow },
    { title: "SOURCE", paint: style.dim },
    { title: "RULE", paint: style.dim },
  ];
  const waiting = skills.filter(({ state }) => state !== "blocked").length;
  const problems = skills.flatMap(({ name, problem }) =>
    problem === undefined ? [] : [`${name}: ${problem}`],
  );
  return [
    ...renderTable(columns, rows, width, style.dim),
    ...problems.map((line) => style.yellow(printable(line))),
    "",
    waiting === 0
      ? "Nothing waits for approval."
      : `${count(waiting, "skill")} to review: skills-mcp approve <name> shows the changes and serves them, --diff --dry-run only shows them.`,
    "",
  ].join("\n");
}

const NOTHING_WAITS =
  "Nothing waits for approval. Sources to review are listed in ~/.skills-mcp/trust.yaml; skills of SKILLS_REPO are seen only where that variable is set.";

/** What `approve <name>` shows before it asks. */
export function renderApprovals(details: readonly ReviewDetail[], withDiff: boolean, style: Style): string {
  if (details.length === 0) return "Nothing waits for approval.\n";
  return details.map((detail) => `${renderDetail(detail, withDiff, style)}\n`).join("");
}

function renderDetail(detail: ReviewDetail, withDiff: boolean, style: Style): string {
  const { name, state, source, digest = "", files, findings, diff, served } = detail;
  if (state === "approved") return `${style.bold(printable(name))}  ${style.dim("is approved as it is")}`;
  const since = served === undefined ? "" : `  approved before: ${served.at.slice(0, 10)} by ${served.by}`;
  const line = (mark: string) => (file: string) => `  ${mark} ${printable(file)}`;
  return [
    `${style.bold(printable(name))}  ${style.yellow(STATES[state])}`,
    `  ${printable(source)}`,
    `  ${style.dim(digest)}${style.dim(printable(since))}`,
    ...files.changed.map(line("~")),
    ...files.added.map(line("+")),
    ...files.removed.map(line("-")),
    ...findings.map((finding) => `  ${findingLine(finding, style)}`),
    ...(withDiff && diff !== "" ? [renderDiff(diff, style)] : []),
  ].join("\n");
}

function findingLine({ severity, rule, file, line, message }: AuditFinding, style: Style): string {
  const paint = severity === "high" || severity === "critical" ? style.red : style.yellow;
  const place = line === undefined ? file : `${file}:${line}`;
  return `${paint(severity)}  ${printable(`${rule}  ${place}: ${message}`)}`;
}

/** What `approve --revert` shows before it asks. */
export function renderReverts(plan: readonly PlannedRevert[], style: Style): string {
  return plan
    .map(({ name, from, to }) => {
      const target =
        to === undefined
          ? style.yellow("nothing was approved before it, so it will not be served")
          : `back to what ${printable(to.by)} approved at ${to.at} (sha256:${to.digest.slice(0, 12)})`;
      return `${style.bold(printable(name))}  sha256:${from.digest.slice(0, 12)} is withdrawn: ${target}\n`;
    })
    .join("");
}
