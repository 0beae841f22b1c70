import { type outdatedSkills, shortVersion, type VerifiedSkill } from "#install";
import { fitLines, renderTable } from "../layout.ts";
import { count, type Look, printable, type Style } from "../text.ts";

const STATES: Readonly<Record<VerifiedSkill["state"], string>> = {
  "as-locked": "unchanged",
  disabled: "unchanged, disabled",
  edited: "edited by hand",
  missing: "missing",
  unlinked: "not in an agent's folder",
  "not-a-folder": "a link or a file",
  "unknown-origin": "unknown origin",
};

/** A longer name has a line of its own on a narrow terminal. */
const NAME_COLUMN = { least: 18, whole: true } as const;

/** The table that `verify` prints, with what to do. */
export function renderVerified(skills: readonly VerifiedSkill[], { width, style }: Look): string {
  const hasFiles = skills.some(({ files = [] }) => files.length > 0);
  const rows = skills.map(({ name, state, source, files, newest }) => {
    const update = newest === undefined ? "" : `, update available (${short(newest)})`;
    const changed = hasFiles ? [files?.join(", ") ?? ""] : [];
    return [name, `${STATES[state]}${update}`, ...changed, source].map(printable);
  });
  const paint = (cell: string, row: number): string => paintState(skills[row]?.state, cell, style);
  const columns = [
    { title: "NAME", ...NAME_COLUMN, paint: style.bold },
    { title: "STATE", paint },
    ...(hasFiles ? [{ title: "FILES", least: 16 }] : []),
    { title: "SOURCE", least: 12, optional: true, paint: style.dim },
  ];
  const missing = skills.filter(({ state }) => state === "missing" || state === "unlinked").length;
  const hint =
    missing === 0
      ? ""
      : `\n${count(missing, "skill")} missing: skills-mcp sync installs what the lock has.\n`;
  return `${renderTable(columns, rows, width, style.dim).join("\n")}\n${fitLines(hint, width)}`;
}

function paintState(state: VerifiedSkill["state"] | undefined, cell: string, style: Style): string {
  if (state === "as-locked") return style.green(cell);
  return state === "unknown-origin" || state === "disabled" ? style.dim(cell) : style.yellow(cell);
}

/** The table that `outdated` prints. */
export function renderOutdated(
  skills: Awaited<ReturnType<typeof outdatedSkills>>,
  { width, style }: Look,
): string {
  const rows = skills.map(({ name, current, newest, source, isOutdated, problem }) => {
    const state = problem ?? (isOutdated ? "update available" : "up to date");
    return [name, state, short(current), short(newest), source].map(printable);
  });
  const columns = [
    { title: "NAME", ...NAME_COLUMN, paint: style.bold },
    {
      title: "STATE",
      least: 16,
      paint: (cell: string, row: number) =>
        skills[row]?.isOutdated === true ? style.yellow(cell) : style.dim(cell),
    },
    { title: "CURRENT", optional: true },
    { title: "NEWEST", optional: true },
    { title: "SOURCE", least: 12, optional: true, paint: style.dim },
  ];
  const outdated = skills.filter(({ isOutdated }) => isOutdated).length;
  const hint =
    outdated === 0
      ? ""
      : `\n${count(outdated, "skill")} with updates: skills-mcp update --diff --dry-run shows them.\n`;
  return `${renderTable(columns, rows, width, style.dim).join("\n")}\n${fitLines(hint, width)}`;
}

/** A commit for people; `?` where it is not known. */
function short(version: string | undefined): string {
  return shortVersion(version) ?? "?";
}
