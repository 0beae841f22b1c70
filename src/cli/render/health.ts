import type { Health, RootHealth } from "../../app/health.ts";
import type { ValidatedFile } from "../../app/validate/check-folder.ts";
import type { Finding } from "../../skill/check/finding.ts";
import { diagnosticLine } from "../../skill/diagnostic.ts";
import { padToColumns, section } from "./layout.ts";
import { count, printable, type Style } from "./text.ts";

/** What `doctor` finds. */
export interface Checkup extends Health {
  /** A server does not start with these. */
  readonly wrongSettings: readonly { readonly place: string; readonly message: string }[];
  /** What `validate` says about the skills that are served. */
  readonly findings: readonly ValidatedFile[];
}

/** Whether there is nothing to fix. Warnings do not count. */
export function isHealthy({ diagnostics, git, wrongSettings }: Checkup): boolean {
  return (
    wrongSettings.length === 0 &&
    diagnostics.every(({ severity }) => severity !== "error") &&
    git.every(({ failure }) => failure === undefined)
  );
}

/** What `doctor` prints for people. */
export function renderCheckup(checkup: Checkup, style: Style): string {
  const { wrongSettings, skills, librarySkills, roots, shadowed, diagnostics, git, sandbox } = checkup;
  const found = roots.filter((root) => root.exists);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  const warnings = diagnostics.filter(({ severity }) => severity === "warning");
  const lines = [
    `${style.bold(count(skills, "skill"))}${librarySkills === 0 ? "" : `, ${count(librarySkills, "library skill")}`}`,
    ...section(
      "Folders",
      found.length === 0 ? ["none of the searched folders exists"] : found.map(rootLine),
      String,
    ),
    ...section("Repositories", git, (repo) => repoLine(repo, style)),
    ...section("Settings that prevent the server from starting", wrongSettings, ({ place, message }) =>
      style.red(printable(`${place}: ${message}`)),
    ),
    "",
    `Scripts: ${sandboxLine(sandbox, style)}`,
    ...section("Shadowed by a skill of the same name", shadowed, ({ name, path, shadowedBy }) =>
      printable(`${name}: ${path} (shadowed by ${shadowedBy})`),
    ),
    ...section("Errors", errors, (diagnostic) => style.red(printable(diagnosticLine(diagnostic)))),
    ...section("Warnings", warnings, (diagnostic) => style.yellow(printable(diagnosticLine(diagnostic)))),
    ...section(
      "Rules that served skills break; `skills-mcp validate <path>` explains each",
      ruleLines(checkup),
      String,
    ),
    "",
    verdict(checkup, style),
  ];
  return `${lines.join("\n")}\n`;
}

function verdict(checkup: Checkup, style: Style): string {
  if (!isHealthy(checkup)) return style.red("There are problems, see above.");
  const broken = checkup.findings.filter(({ findings }) => findings.some(isError)).length;
  if (broken === 0) return style.green("No problems found.");
  return style.yellow(`Every skill is served, but ${count(broken, "file")} would fail validate, see above.`);
}

const isError = ({ severity }: Finding): boolean => severity === "error";
const MOST_NAMED = 3;

/** `2 × error   name-is-folder: pdf, docx`, the errors first. */
function ruleLines({ findings }: Checkup): readonly string[] {
  const files = new Map<string, string[]>();
  for (const { file, name, findings: found } of findings) {
    for (const { severity, rule } of found) {
      const key = `${severity === "error" ? "error " : "advice"}  ${rule}`;
      files.set(key, [...(files.get(key) ?? []), name ?? file]);
    }
  }
  return [...files]
    .sort(
      ([a, some], [b, others]) =>
        Number(b.startsWith("error")) - Number(a.startsWith("error")) || others.length - some.length,
    )
    .map(([key, names]) => {
      const unique = [...new Set(names)];
      const more = unique.length > MOST_NAMED ? ` and ${unique.length - MOST_NAMED} more` : "";
      return printable(`${names.length} × ${key}: ${unique.slice(0, MOST_NAMED).join(", ")}${more}`);
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

function rootLine({ dir, provider, plugin, skills, labels = {} }: RootHealth): string {
  const labelled = Object.entries(labels).map(([label, of]) => `, ${of} ${label}`);
  const whose = `${plugin === undefined ? provider : `plugin ${plugin}`}${labelled.join("")}`;
  return `${padToColumns(count(skills, "skill"), 10)}  ${printable(`${dir} (${whose})`)}`;
}

function sandboxLine(sandbox: Health["sandbox"], style: Style): string {
  if (sandbox === "off") return "disabled (scripts.enabled is false)";
  if (sandbox.kind === "none") return style.yellow(`run without a sandbox: ${printable(sandbox.reason)}`);
  return `run in a sandbox (${sandbox.kind})`;
}
