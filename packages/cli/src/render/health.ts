import path from "node:path";
import { joinFindings, severityOf, type ValidatedFile } from "#check";
import type { MachinePolicy } from "#config";
import { allFindings, countFindings, type Health } from "#server";
import { type Diagnostic, diagnosticLine, type Finding, SEVERITIES } from "#skills";
import type { ReviewItem } from "#trust";
import { policyLine } from "./config.ts";
import { cutToColumns, fitLines, fitScreen, padToColumns, section } from "./layout.ts";
import { notServedLine } from "./review.ts";
import { count, type Look, printable, type Style, withShortPaths } from "./text.ts";

type Counts = ReturnType<typeof countFindings>;

/** What `doctor` finds. */
export interface Checkup extends Health {
  /** The profiles in force; absent without any. */
  readonly inForce?: { readonly profiles: readonly string[]; readonly leftOut: number };
  /** A server over HTTP does not start with these. */
  readonly policy?: Pick<MachinePolicy, "file" | "limits"> | undefined;
  readonly wrongSettings: readonly { readonly place: string; readonly message: string }[];
  /** Skills that wait for approval, and those that are blocked. */
  readonly review: readonly ReviewItem[];
  /** What `validate` says about the skills that are served. */
  readonly findings: readonly ValidatedFile[];
}

/** Whether everything that was found is served, and every repository fetched. */
function isHealthy({ diagnostics, git, wrongSettings }: Checkup): boolean {
  return (
    wrongSettings.length === 0 &&
    diagnostics.every(({ severity }) => severity !== "error") &&
    git.every(({ failure }) => failure === undefined)
  );
}

/** What `doctor` prints for people: as much as fits a screen, or with `all` everything. */
export function renderCheckup(checkup: Checkup, look: CheckupLook, { all = false } = {}): string {
  return all ? renderWith(checkup, look, undefined) : fitScreen((most) => renderWith(checkup, look, most));
}

interface CheckupLook extends Look {
  /** On a terminal, paths below it begin with `~`. */
  readonly home: string;
}

/** Lines are no longer than this, where nothing says how wide a terminal is. */
const USUAL_WIDTH = 120;

/** `most`: how many items of a list are shown, and each on two lines at most. Undefined: everything. */
function renderWith(checkup: Checkup, { width, style, home }: CheckupLook, most: number | undefined): string {
  const cut = (text: string): string =>
    most === undefined ? text : cutToColumns(text, 2 * (width ?? USUAL_WIDTH) - 8);
  const whole = most === undefined || most === Number.POSITIVE_INFINITY;
  const { wrongSettings, skills, librarySkills, roots, shadowed, git, sandbox } = checkup;
  const { diagnostics, files } = joinFindings(checkup.diagnostics, checkup.findings);
  const found = roots.filter((root) => root.exists);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const warnings = diagnostics.filter(({ severity }) => severity === "warning");
  const scriptWarnings = sandbox === "off" || sandbox.warning === undefined ? [] : [sandbox.warning];
  const lines = [
    `${style.bold(count(skills, "skill"))}${librarySkills === 0 ? "" : `, ${count(librarySkills, "library skill")}`}`,
    ...profileLine(checkup),
    ...(checkup.policy === undefined ? [] : [printable(policyLine(checkup.policy))]),
    ...section(
      "Settings that are wrong; with them, a server over HTTP does not start, and one on stdio serves nothing that they could withhold",
      wrongSettings,
      ({ place, message }) => style.red(printable(`${place}: ${message}`)),
    ),
    ...section("Errors", errors, (diagnostic) => style.red(cut(printable(diagnosticLine(diagnostic)))), most),
    ...section(
      "Held back; `skills-mcp approve <name> --diff` shows the changes and serves them",
      checkup.review.filter(({ state }) => state !== "blocked"),
      (item) => style.yellow(cut(printable(notServedLine(item)))),
      most,
    ),
    ...section(
      "Blocked; to serve them, move their rule in `~/.skills-mcp/trust.yaml` to `review` or `allow`",
      checkup.review.filter(({ state }) => state === "blocked"),
      (item) => style.yellow(cut(printable(notServedLine(item)))),
      most,
    ),
    ...section(
      "What the audit found in served skills; `skills-mcp audit --all` explains each",
      riskLines(files),
      ({ risk, text }) =>
        risk === "critical" || risk === "high" ? style.red(cut(text)) : style.yellow(cut(text)),
      most,
    ),
    ...section(
      "Warnings",
      [...scriptWarnings, ...warnings.map(diagnosticLine)],
      (line) => style.yellow(cut(printable(line))),
      most,
    ),
    ...section(
      "Rules that served skills break; `skills-mcp validate <path>` explains each",
      ruleLines(files),
      cut,
      most,
    ),
    ...section(
      "Shadowed by a skill of the same name",
      notWarnedOf(shadowed, diagnostics),
      ({ name, path: file, shadowedBy }) => cut(printable(`${name}: ${file} (shadowed by ${shadowedBy})`)),
      most,
    ),
    ...section(
      "Folders",
      found.length === 0 ? ["none of the searched folders exists"] : found.map(rootLine),
      cut,
      most,
    ),
    ...section("Repositories", git, (repo) => repoLine(repo, style), most),
    "",
    `Scripts: ${sandboxLine(sandbox, style)}`,
    "",
    ...(whole ? [] : [style.dim("Long lists are cut: skills-mcp doctor --all shows everything.")]),
    ...countLine(countsOf(checkup), style),
    verdict(checkup, style),
  ];
  const text = `${lines.join("\n")}\n`;
  return width === undefined ? text : fitLines(withShortPaths(text, home), width);
}

/** Leaves out the shadowed skills that a warning names: the user's, where one of the project takes their place. */
function notWarnedOf(shadowed: Checkup["shadowed"], diagnostics: readonly Diagnostic[]): Checkup["shadowed"] {
  const warned = new Set(
    diagnostics.flatMap(({ code, file }) => (code === "takes-place" ? [path.dirname(file)] : [])),
  );
  return shadowed.filter(({ shadowedBy }) => !warned.has(shadowedBy));
}

/** The numbers that the dashboard and `status` show too. */
export function countsOf(checkup: Pick<Checkup, "wrongSettings" | "findings"> & Health): Counts {
  const { findings: files, wrongSettings } = checkup;
  return countFindings(allFindings({ health: checkup, files, wrongSettings }));
}

function countLine({ error, warning, advice }: Counts, style: Style): readonly string[] {
  const parts = [
    ...(error === 0 ? [] : [style.red(count(error, "error"))]),
    ...(warning === 0 ? [] : [style.yellow(count(warning, "warning"))]),
    ...(advice === 0 ? [] : [`${advice} advice`]),
  ];
  return parts.length === 0 ? [] : [parts.join(", ")];
}

function profileLine({ inForce }: Checkup): readonly string[] {
  if (inForce === undefined) return [];
  const { profiles, leftOut } = inForce;
  const which = `${profiles.length === 1 ? "profile" : "profiles"} ${profiles.map((name) => `'${name}'`).join(" and ")}`;
  return [
    `In the ${which}, which ${profiles.length === 1 ? "leaves" : "leave"} out ${count(leftOut, "more skill")}`,
  ];
}

function verdict(checkup: Checkup, style: Style): string {
  if (!isHealthy(checkup)) return style.red("There are problems, see above.");
  const risky = checkup.findings.filter(({ findings }) => findings.some(isRisky)).length;
  if (risky > 0)
    return style.red(
      `Every skill is served, but read what the audit found in ${count(risky, "file")}, see above.`,
    );
  const broken = checkup.findings.filter(({ findings }) => findings.some(isError)).length;
  if (broken === 0)
    return countsOf(checkup).warning === 0
      ? style.green("No problems found.")
      : style.yellow("Nothing is broken, but read the warnings above.");
  return style.yellow(`Every skill is served, but ${count(broken, "file")} would fail validate, see above.`);
}

const isError = ({ severity }: Finding): boolean => severity === "error";
const isRisky = ({ risk }: Finding): boolean => risk === "critical" || risk === "high";
const MOST_NAMED = 3;

/** `2 × warning  name-is-folder: pdf, docx`, the worst first, with the words of the counts. */
function ruleLines(files: Checkup["findings"]): readonly string[] {
  const groups = groupFindings(files, (finding) =>
    finding.risk === undefined ? `${severityOf(finding).padEnd(7)}  ${finding.rule}` : undefined,
  );
  return groups
    .sort(
      (a, b) =>
        Number(b.key.startsWith("warning")) - Number(a.key.startsWith("warning")) || b.number - a.number,
    )
    .map(({ text }) => text);
}

/** `1 × critical  remote-code: weekly-report`, the worst first. */
function riskLines(files: Checkup["findings"]): readonly { readonly risk: string; readonly text: string }[] {
  const groups = groupFindings(files, ({ risk, rule }) =>
    risk === undefined ? undefined : `${risk.padEnd(8)}  ${rule}`,
  );
  const rank = (key: string): number => SEVERITIES.findIndex((severity) => key.startsWith(severity));
  return groups
    .sort((a, b) => rank(b.key) - rank(a.key) || b.number - a.number)
    .map(({ key, text }) => ({ risk: key.split(" ")[0] ?? "", text }));
}

function groupFindings(files: Checkup["findings"], keyOf: (finding: Finding) => string | undefined) {
  const named = new Map<string, string[]>();
  for (const { file, name, findings } of files) {
    for (const finding of findings) {
      const key = keyOf(finding);
      if (key !== undefined) named.set(key, [...(named.get(key) ?? []), name ?? file]);
    }
  }
  return Array.from(named, ([key, names]) => {
    const unique = [...new Set(names)];
    const more = unique.length > MOST_NAMED ? ` and ${unique.length - MOST_NAMED} more` : "";
    const text = printable(`${names.length} × ${key}: ${unique.slice(0, MOST_NAMED).join(", ")}${more}`);
    return { key, number: names.length, text };
  });
}

function repoLine({ name, url, branch, commit, lastSync, failure }: Health["git"][number], style: Style) {
  const at = commit === undefined ? "not fetched yet" : `commit ${commit.slice(0, 12)}`;
  const since = lastSync === undefined ? "" : `, in sync at ${lastSync}`;
  const state = failure === undefined ? style.green("ok") : style.red("failing");
  const why =
    failure === undefined ? "" : `\n    failing since ${failure.since}: ${printable(failure.message)}`;
  return `${state}  ${printable(`${name} (${url}, ${branch})`)}: ${at}${since}${why}`;
}

function rootLine({ dir, provider, plugin, skills, labels = {} }: Health["roots"][number]): string {
  const labelled = Object.entries(labels).map(([label, of]) => `, ${of} ${label}`);
  const whose = `${plugin === undefined ? provider : `plugin ${plugin}`}${labelled.join("")}`;
  return `${padToColumns(count(skills, "skill"), 10)}  ${printable(`${dir} (${whose})`)}`;
}

function sandboxLine(sandbox: Health["sandbox"], style: Style): string {
  if (sandbox === "off") return "disabled (scripts.enabled is false)";
  if (sandbox.kind === "none") {
    const what = sandbox.runs ? "run without a sandbox" : "are refused, because there is no sandbox";
    return style.yellow(`${what}: ${printable(sandbox.reason)}`);
  }
  return `run in a sandbox (${sandbox.kind})`;
}
