import type { InstallResult, PlannedSkill } from "#install";
import type { SeenBy } from "../../install/who-sees.ts";
import { padToColumns, renderTable } from "../layout.ts";
import { count, type Look, printable, type Style } from "../text.ts";

const COLOURS: Readonly<Record<PlannedSkill["action"], Exclude<keyof Style, "bold">>> = {
  add: "green",
  update: "cyan",
  keep: "dim",
  remove: "yellow",
  conflict: "red",
};

const INDENT = " ".repeat(10);

/** One line for each skill, with the changed files of an update and the diff where there is one. */
export function renderPlan(plan: readonly PlannedSkill[], style: Style): string {
  const names = Math.max(0, ...plan.map(({ name }) => name.length));
  return plan
    .flatMap(({ action, name, source, files, reason, diff, findings = [] }) => {
      const isConflict = action === "conflict";
      const details = [source, filesText(files), isConflict ? "" : (reason ?? "")]
        .filter((text) => text !== "")
        .map(printable);
      const what = style[COLOURS[action]](action.padEnd(8));
      return [
        `${what}  ${style.bold(padToColumns(printable(name), names))}  ${details.join(", ")}`,
        ...(action === "update" ? fileLines(files) : []),
        ...(isConflict && reason !== undefined
          ? sentences(reason).map((line) => `${INDENT}${printable(line)}`)
          : []),
        ...auditLines(findings, style),
        ...(diff === undefined || diff === "" ? [] : [renderDiff(diff, style)]),
      ];
    })
    .map((line) => `${line}\n`)
    .join("");
}

/** A plan is for deciding, so it has the worst of what the audit found; `audit` shows everything. */
const MOST_FINDINGS = 8;

function auditLines(findings: NonNullable<PlannedSkill["findings"]>, style: Style): readonly string[] {
  const serious = findings.filter(({ severity }) => severity !== "low");
  const lines = serious.slice(0, MOST_FINDINGS).map(({ severity, file, line, message, rule }) => {
    const paint = severity === "medium" ? style.yellow : style.red;
    const place = line === undefined ? file : `${file}:${line}`;
    return `${INDENT}${paint(severity.padEnd(8))}  ${printable(place)}  ${printable(message)} ${style.dim(`[${rule}]`)}`;
  });
  const more = findings.length - lines.length;
  return more === 0
    ? lines
    : [...lines, `${INDENT}${count(more, "more finding")}: skills-mcp audit shows them`];
}

/** A reason says what is wrong, then what can be done. */
function sentences(reason: string): readonly string[] {
  return `${reason}.`.split(/(?<=\.) /);
}

function filesText({ added, changed, removed, merged, kept }: PlannedSkill["files"]): string {
  if (changed.length + removed.length === 0 && added.length > 0) return count(added.length, "file");
  if (added.length + changed.length === 0 && removed.length > 0) return count(removed.length, "file");
  const parts = [
    [changed.length, "changed"],
    [added.length, "added"],
    [removed.length, "removed"],
    [merged.length, "merged with your edits"],
    [kept.length, "edited by you"],
  ] as const;
  return parts.flatMap(([number, what]) => (number === 0 ? [] : [`${number} ${what}`])).join(", ");
}

function fileLines({ added, changed, removed, merged, kept }: PlannedSkill["files"]): readonly string[] {
  const own = new Map([
    ...merged.map((file) => [file, "  (merged with your edits)"] as const),
    ...kept.map((file) => [file, "  (your edit)"] as const),
  ]);
  const line = (mark: string) => (file: string) =>
    `${INDENT}${mark} ${printable(file)}${own.get(file) ?? ""}`;
  return [...changed.map(line("~")), ...added.map(line("+")), ...removed.map(line("-"))];
}

/** A unified diff in colours, safe on a terminal. */
export function renderDiff(diff: string, style: Style): string {
  const paint = (line: string): string => {
    const text = line
      .split("\t")
      .map((part) => printable(part))
      .join("\t");
    if (line.startsWith("+")) return style.green(text);
    return line.startsWith("-") ? style.red(text) : text;
  };
  return diff.trimEnd().split("\n").map(paint).join("\n");
}

/** What a source contains. */
export function renderAvailable(
  skills: NonNullable<InstallResult["available"]>,
  { width, style }: Look,
): string {
  const columns = [
    { title: "SKILL", paint: style.bold },
    { title: "PATH", paint: style.dim },
    { title: "DESCRIPTION" },
  ];
  const rows = skills.map(({ name, path, description }) => [name, path || ".", description].map(printable));
  return `${renderTable(columns, rows, width, style.dim).join("\n")}

${count(skills.length, "skill")}. Nothing was installed: name skills after the source, or pass --all.
`;
}

interface Ending {
  readonly isRefused: boolean;
  readonly isUndo: boolean;
  readonly seenBy?: SeenBy | undefined;
}

/** What was done and where, who sees it, and last what was not done. */
export function renderDone(
  { plan, failed, dryRun, scope }: InstallResult,
  { isRefused, isUndo, seenBy }: Ending,
  style: Style,
): string {
  const conflicts = plan.filter(({ action }) => action === "conflict").map(({ name }) => printable(name));
  const left =
    conflicts.length === 0
      ? ""
      : `${style.red(count(conflicts.length, "conflict"))}, shown above; nothing of ${listed(conflicts)} was changed.\n`;
  if (dryRun) return `${style.dim("Nothing was changed (--dry-run).")}\n${left}`;
  if (isRefused) return `Nothing was changed.\n${left}`;
  const done = plan.filter(({ name }) => !failed.some((failure) => failure.name === name));
  const words = { add: "added", update: "updated", remove: "removed" } as const;
  const parts = (["add", "update", "remove"] as const).flatMap((action) => {
    const number = done.filter((skill) => skill.action === action).length;
    return number === 0 ? [] : [`${count(number, "skill")} ${words[action]}`];
  });
  if (parts.length === 0) return left;
  const hint = isUndo ? "" : ` ${style.dim("skills-mcp undo takes it back.")}`;
  const where = seenBy === undefined ? "" : ` to ${PLACES[scope]}`;
  return `${parts.join(", ")}${where}.${hint}\n${seenBy === undefined ? "" : renderSeenBy(seenBy)}${left}`;
}

const PLACES = {
  project: ".agents/skills of this project",
  user: "~/.agents/skills, for all projects",
} as const;

/** A line names this many. */
const MOST_LISTED = 6;

function listed(names: readonly string[]): string {
  const rest = names.length - MOST_LISTED;
  const shown = rest > 0 ? [...names.slice(0, MOST_LISTED), `${rest} more`] : names;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

function renderSeenBy({ fromDisk, throughServer, notYet }: SeenBy): string {
  const ids = notYet.map(({ id }) => id).join(" ");
  const lines = [
    ...(fromDisk.length === 0 ? [] : [`Read from disk by ${listed(fromDisk)}.`]),
    ...(throughServer.length === 0 ? [] : [`Seen through skills-mcp by ${listed(throughServer)}.`]),
    ...(notYet.length === 0
      ? []
      : [`Not seen yet by ${listed(notYet.map(({ title }) => title))}: skills-mcp connect ${ids}`]),
  ];
  if (lines.length === 0)
    lines.push("No agent was found on this machine; skills-mcp connect <agent> connects one.");
  return `${lines.join("\n")}\n`;
}
