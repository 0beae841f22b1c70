import { type outdatedSkills, shortVersion, type VerifiedSkill } from "#install";
import { renderTable } from "../layout.ts";
import { count, type Look, printable, type Style } from "../text.ts";

const STATES: Readonly<Record<VerifiedSkill["state"], string>> = {
  "as-locked": "as locked",
  disabled: "as locked, disabled",
  edited: "edited by hand",
  missing: "missing",
  unlinked: "not in an agent's folder",
  "not-a-folder": "a link or a file",
  "unknown-origin": "unknown origin",
};

/** The table that `verify` prints, with what to do. */
export function renderVerified(skills: readonly VerifiedSkill[], { width, style }: Look): string {
  const rows = skills.map(({ name, state, source, files, newest }) => {
    const update = newest === undefined ? "" : `, update available (${short(newest)})`;
    return [name, `${STATES[state]}${update}`, source, files?.join(", ") ?? ""].map(printable);
  });
  const columns = [
    { title: "NAME", paint: style.bold },
    {
      title: "STATE",
      paint: (cell: string, row: number) => paintState(skills[row]?.state, cell, style),
    },
    { title: "SOURCE", paint: style.dim },
    { title: "FILES" },
  ];
  const missing = skills.filter(({ state }) => state === "missing" || state === "unlinked").length;
  const hint =
    missing === 0
      ? ""
      : `\n${count(missing, "skill")} missing: skills-mcp sync installs what the lock has.\n`;
  return `${renderTable(columns, rows, width, style.dim).join("\n")}\n${hint}`;
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
    const unchanged = newest === current ? "up to date" : "unchanged in the newest version";
    const state = problem ?? (isOutdated ? "update available" : unchanged);
    return [name, short(current), short(newest), state, source].map(printable);
  });
  const columns = [
    { title: "NAME", paint: style.bold },
    { title: "CURRENT" },
    { title: "NEWEST" },
    {
      title: "STATE",
      paint: (cell: string, row: number) =>
        skills[row]?.isOutdated === true ? style.yellow(cell) : style.dim(cell),
    },
    { title: "SOURCE", paint: style.dim },
  ];
  const outdated = skills.filter(({ isOutdated }) => isOutdated).length;
  const hint =
    outdated === 0
      ? ""
      : `\n${count(outdated, "skill")} with updates: skills-mcp update --diff --dry-run shows them.\n`;
  return `${renderTable(columns, rows, width, style.dim).join("\n")}\n${hint}`;
}

/** A commit for people; `?` where it is not known. */
function short(version: string | undefined): string {
  return shortVersion(version) ?? "?";
}
