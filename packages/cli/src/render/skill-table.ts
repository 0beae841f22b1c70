import { dirname, isAbsolute, relative } from "node:path";
import { audienceMark, type DisabledFor, type Skill, whomText } from "#skills";
import { columnsOf, cutToColumns, renderTable } from "./layout.ts";
import { type Look, printable, type Style, shortPath } from "./text.ts";

/** What the table shows of a skill of any kind. */
type TableSkill = Readonly<Record<"name" | "provider" | "location" | "description", string>> & {
  readonly invocation?: Skill["invocation"];
  readonly origin?: string;
  readonly disabledFor?: readonly DisabledFor[];
};

/** The table that `list` prints. A narrow terminal gets names and descriptions alone. People copy names, so none is cut. */
export function renderSkillTable(skills: readonly TableSkill[], { width, style }: Look): string {
  const hasOrigins = skills.some(({ origin }) => origin !== undefined);
  const columns = [
    { title: "NAME", most: nameColumns(skills, width), least: LEAST_NAME, whole: true, paint: style.bold },
    { title: "PROVIDER", optional: true, paint: style.dim },
    { title: "LOCATION", optional: true, paint: style.dim },
    ...(hasOrigins ? [{ title: "ORIGIN", paint: style.dim }] : []),
    { title: "DESCRIPTION", least: 20 },
  ];
  const rows = skills.map((skill) => {
    const { name, provider, location, origin } = skill;
    return [name, provider, location, ...(hasOrigins ? [origin ?? ""] : []), shownText(skill)].map(printable);
  });
  return renderTable(columns, rows, width, style.dim).join("\n");
}

/** The description, after who does not get the skill. */
function shownText({ description, invocation, disabledFor = [] }: TableSkill): string {
  const whom = disabledFor.length === 0 ? "" : `[disabled ${disabledFor.map(whomText).join(", ")}] `;
  return `${whom}${audienceMark(invocation)}${description}`;
}

/** Room for nine names of ten: the longest ones have a line of their own, so that the others leave room for descriptions. */
function nameColumns(skills: readonly TableSkill[], width: number | undefined): number {
  if (width === undefined) return MOST_NAME;
  const columns = skills.map(({ name }) => columnsOf(printable(name))).sort((a, b) => a - b);
  return Math.min(MOST_NAME, Math.max(LEAST_NAME, columns[Math.floor((columns.length - 1) * 0.9)] ?? 0));
}

const MOST_NAME = 40;
const LEAST_NAME = 16;

/** A skill and where it is from. */
type PlacedSkill = TableSkill & {
  readonly path: string;
  readonly plugin?: string;
  readonly repository?: { readonly url: string };
};

interface TreeOptions {
  readonly home: string;
  readonly cwd: string;
  readonly width: number | undefined;
  readonly style: Style;
}

/** The tree that `list --tree` prints: each provider, the places where its skills are, and the skills. */
export function renderSkillTree(
  skills: readonly PlacedSkill[],
  { home, cwd, width, style }: TreeOptions,
): string {
  const lines: string[] = [];
  for (const [provider, ofProvider] of groupsOf(skills, (skill) => skill.provider)) {
    lines.push(style.bold(printable(provider)));
    const places = [...groupsOf(ofProvider, (skill) => placeOf(skill, home, cwd))];
    for (const [index, [place, there]] of places.entries()) {
      const isLast = index === places.length - 1;
      lines.push(`${isLast ? "└─ " : "├─ "}${printable(place)} ${style.dim(`(${there.length})`)}`);
      for (const [number, skill] of there.entries()) {
        const { name } = skill;
        const branch = `${isLast ? "   " : "│  "}${number === there.length - 1 ? "└─ " : "├─ "}`;
        const shown = `  ${printable(shownText(skill))}`;
        // Names are never cut: people copy them.
        const room = width === undefined ? 0 : width - branch.length - columnsOf(printable(name));
        const text = width === undefined ? shown : room < LEAST_DESCRIPTION ? "" : cutToColumns(shown, room);
        lines.push(`${branch}${printable(name)}${style.dim(text)}`);
      }
    }
  }
  return lines.join("\n");
}

/** A description is not cut to fewer columns than this: it would say nothing. */
const LEAST_DESCRIPTION = 12;

function placeOf({ path, plugin, repository }: PlacedSkill, home: string, cwd: string): string {
  if (plugin !== undefined) return `plugin ${plugin}`;
  if (repository !== undefined) return repository.url;
  const folder = dirname(path);
  const below = relative(cwd, folder);
  return below === "" || below.startsWith("..") || isAbsolute(below) ? shortPath(folder, home) : below;
}

function groupsOf<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
