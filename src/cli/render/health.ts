import type { Health, RootHealth } from "../../app/health.ts";
import { diagnosticLine } from "../../skill/diagnostic.ts";
import { padToColumns, printable } from "./columns.ts";
import { section } from "./paragraphs.ts";
import type { Style } from "./style.ts";

/** What `doctor` finds. */
export interface Checkup extends Health {
  /** With these a server does not start. */
  readonly wrongSettings: readonly { readonly place: string; readonly message: string }[];
}

/** Whether nothing is wrong that someone should repair. */
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
      found.length === 0 ? ["none of the agents' folders exists here"] : found.map(rootLine),
    ),
    ...section(
      "Repositories",
      git.map(({ name, url, branch, commit, lastSync, failure }) => {
        const at = commit === undefined ? "no content yet" : `commit ${commit.slice(0, 12)}`;
        const since = lastSync === undefined ? "" : `, equal to the remote at ${lastSync}`;
        const state = failure === undefined ? style.green("ok") : style.red("failing");
        const why =
          failure === undefined ? "" : `\n    failing since ${failure.since}: ${printable(failure.message)}`;
        return `${state}  ${printable(`${name} (${url}, ${branch})`)}: ${at}${since}${why}`;
      }),
    ),
    ...section(
      "Settings that keep a server from starting",
      wrongSettings.map(({ place, message }) => style.red(printable(`${place}: ${message}`))),
    ),
    "",
    `Scripts: ${sandboxLine(sandbox, style)}`,
    ...section(
      "Hidden by a skill of the same name",
      shadowed.map(({ name, path, hiddenBy }) => printable(`${name}: ${path} (served: ${hiddenBy})`)),
    ),
    ...section(
      "Errors",
      errors.map((diagnostic) => style.red(printable(diagnosticLine(diagnostic)))),
    ),
    ...section(
      "Warnings",
      warnings.map((diagnostic) => style.yellow(printable(diagnosticLine(diagnostic)))),
    ),
    "",
    isHealthy(checkup) ? style.green("Nothing is wrong.") : style.red("Something is wrong, see above."),
  ];
  return `${lines.join("\n")}\n`;
}

function rootLine({ dir, provider, plugin, skills }: RootHealth): string {
  const whose = plugin === undefined ? provider : `plugin ${plugin}`;
  return `${padToColumns(count(skills, "skill"), 10)}  ${printable(`${dir} (${whose})`)}`;
}

function sandboxLine(sandbox: Health["sandbox"], style: Style): string {
  if (sandbox === "off") return "are not run at all (scripts.enabled is false)";
  if (sandbox.kind === "none") return style.yellow(`run without a sandbox: ${printable(sandbox.reason)}`);
  return `run in a sandbox (${sandbox.kind})`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
