import path from "node:path";
import { publishSite, skillOrigins } from "#install";
import { foundIn, isBrokenSkill, resolveName, type Snapshot } from "#skills";
import { isInside } from "#util";
import { type CommandInvocation, defineCommand, printJson, type Terminal } from "../command.ts";
import { projectPaths } from "../default-paths.ts";
import { badUsage, flag } from "../flags.ts";
import { installPlaces } from "../install/install-flags.ts";
import { withSkillView } from "../open-view.ts";
import { renderTable, section } from "../render/layout.ts";
import { count, type Look, printable, shortPath, sizeOf } from "../render/text.ts";
import { homeFor, JSON_FLAG, userFolder, VIEW_FLAGS, YES_FLAG } from "../shared-flags.ts";

type Result<T> = Extract<Awaited<ReturnType<typeof publishSite>>, { kind: T }>;
type Site = Result<"published">["site"];

/** Progress is shown once the export takes longer than this. */
const SLOW_MS = 1_000;

const FLAGS = {
  dir: flag.text("<dir>", "folder of the web site; other files in it are kept"),
  all: flag.switch("every skill that is served, instead of this project's"),
  ...YES_FLAG,
  ...JSON_FLAG,
  ...VIEW_FLAGS,
};

/** `skills-mcp publish [name…] --dir <out>`: this project's skills for installers, as files for any web server. */
export const command = defineCommand({
  name: "publish",
  usage: "[<name>…] --dir <dir>",
  summary: "export this project's skills as static files that installers can download",
  order: 200,
  bundle: "manage",
  examples: ["publish --dir site", "publish pdf docx --dir site"],
  completes: "skills",
  flags: FLAGS,
  takes: "any",
  async run({ given, named, positionals: names, terminal, log }) {
    const { dir } = given;
    if (dir === undefined) {
      throw badUsage("--dir", "publish needs the folder of a web site: skills-mcp publish --dir <dir>.");
    }
    if (given.all && names.length > 0)
      throw badUsage("--all", "--all means every skill: leave out the names.");
    const chosen = await chosenFolders(given, named);
    const view = { ...given, "skill-dir": [...given["skill-dir"], ...chosen.unread] };
    return withSkillView(view, log, async (_app, snapshot) => {
      const wanted = given.all ? snapshot : chosenSkills(snapshot, names, chosen.folders);
      const broken = names.length > 0 ? [] : brokenIn(snapshot, given.all ? undefined : chosen.folders);
      for (const { file, message } of broken)
        terminal.logLine(printable(`skills-mcp: ${file} is not published: ${message}`));
      const places = installPlaces(given, log);
      const origins = await skillOrigins(
        wanted.catalog.entries.map(({ skill }) => skill),
        places,
      );
      const slow = setTimeout(
        () => log.info(`reading ${count(wanted.catalog.entries.length, "skill")} …`),
        SLOW_MS,
      );
      const shown: Shown = { home: places.home, cwd: places.cwd, origins };
      try {
        const result = await publishSite(wanted, {
          dir: path.resolve(dir),
          roots: snapshot.roots,
          home: places.home,
          confirm(publication) {
            clearTimeout(slow);
            if (!given.json) terminal.print(renderList(publication, shown, terminal));
            return confirm(
              `Publish ${count(publication.skills.length, "skill")} in ${dir}?`,
              given,
              terminal,
            );
          },
        });
        if (result.kind === "refused") return refuse(result.problems, given.json, terminal);
        if (result.kind === "declined") terminal.print("Nothing was published.\n");
        else if (given.json) printJson(terminal, siteJson(result.site, shown));
        else terminal.print(renderSite(result.site, terminal));
        return 0;
      } finally {
        clearTimeout(slow);
      }
    });
  },
});

type Given = CommandInvocation<typeof FLAGS>["given"];

/** The folders whose skills are meant without names: the project's, and those that the command line names. */
async function chosenFolders(given: Given, named: ReadonlySet<string>) {
  const dirs = [
    ...(named.has("skill-dir") ? given["skill-dir"] : []),
    ...(named.has("root") && given.root !== undefined ? [given.root] : []),
  ].map((dir) => path.resolve(userFolder(dir)));
  if (given["no-default-dirs"]) return { folders: dirs, unread: [] };
  const { paths, unread } = await projectPaths(process.cwd(), homeFor(given["user-dir"]));
  return { folders: [...dirs, ...paths], unread };
}

/** A snapshot as if there were no other skills: what a skill is published as does not depend on who publishes it. */
function chosenSkills(snapshot: Snapshot, names: readonly string[], folders: readonly string[]): Snapshot {
  const nothing = { include: [], exclude: [] };
  if (names.length > 0) {
    const dirs = new Set(names.map((name) => resolveName(snapshot.catalog, name).skill.realDir));
    return snapshot.inProfile({
      ...nothing,
      accepts: (skill) => "realDir" in skill && dirs.has(skill.realDir),
    });
  }
  if (folders.length === 0)
    throw badUsage(
      "<name>",
      "publish found no skills in this project. Name skills: skills-mcp publish <name>… --dir <dir>, or pass --all for every skill that is served.",
    );
  return snapshot.inProfile({
    ...nothing,
    accepts: (skill) => "realDir" in skill && folders.some((folder) => isInside(folder, foundIn(skill))),
  });
}

/** What is no skill that anybody could install. */
function brokenIn({ diagnostics }: Snapshot, folders: readonly string[] | undefined) {
  return diagnostics
    .filter(isBrokenSkill)
    .filter(({ file }) => folders === undefined || folders.some((folder) => isInside(folder, file)));
}

/** Asks on a terminal; elsewhere `--yes` is needed. */
async function confirm(question: string, { yes, json }: Given, { ask }: Terminal): Promise<boolean> {
  if (yes) return true;
  // With `--json` nothing is asked: a question would not be JSON.
  if (ask === undefined || json)
    throw badUsage("--yes", "Nothing was published. Add --yes to publish these skills without a question.");
  const answer = await ask(`\n${question} Whoever reaches the site can read them. [y/N] `);
  return /^y(?:es)?$/i.test(answer.trim());
}

function refuse(problems: Result<"refused">["problems"], json: boolean, terminal: Terminal): number {
  const names = [...new Set(problems.map(({ name }) => name))];
  if (json) printJson(terminal, { skills: [], refused: problems });
  else
    for (const { file, line, message, rule } of problems)
      terminal.logLine(printable(`${file}${line === undefined ? "" : `:${line}`}: ${message} [${rule}]`));
  const accept = problems.some(({ risk }) => risk !== undefined)
    ? ", accept what the audit finds with audit.ignore in your settings,"
    : "";
  terminal.logLine(
    printable(
      `skills-mcp: Nothing was published: ${count(names.length, "skill")} must be corrected first (${names.join(", ")}). Correct the files${accept} or leave the skills out: --exclude '${names.join(",")}'.`,
    ),
  );
  return 1;
}

/** Where skills are from, for people. */
interface Shown {
  readonly home: string;
  readonly cwd: string;
  readonly origins: ReadonlyMap<string, string>;
}

function siteJson(site: Site, { origins }: Shown) {
  const { dir, publication, written, unchanged, removed, kept } = site;
  const skills = publication.skills.map(({ name, skill, artifact: { type, digest, size, files } }) => {
    const source = origins.get(skill.realDir);
    return {
      name,
      type,
      digest,
      size,
      files: files.map(({ path: file }) => file),
      from: foundIn(skill),
      source,
    };
  });
  return { dir, skills, notPublished: publication.left, written, unchanged, removed, kept };
}

/** What is about to be published, and from where. */
function renderList(
  { skills, left }: Site["publication"],
  { home, cwd, origins }: Shown,
  { width, style }: Look,
): string {
  const placeOf = (skill: (typeof skills)[number]["skill"]): string => {
    const folder = foundIn(skill);
    if (!isInside(cwd, folder)) return shortPath(folder, home);
    // A link in the project may lead to somebody's private folder.
    const leadsOut = skill.approved === undefined && !isInside(cwd, skill.realDir);
    return `${path.relative(cwd, folder) || "."}${leadsOut ? ` → ${shortPath(skill.realDir, home)}` : ""}`;
  };
  const rows = skills.map(({ name, skill, artifact: { size, files } }) => {
    const source = origins.get(skill.realDir) ?? "";
    return [name, count(files.length, "file"), sizeOf(size), placeOf(skill), source].map(printable);
  });
  const columns = [
    { title: "SKILL" },
    { title: "FILES" },
    { title: "SIZE" },
    { title: "FROM", least: 20 },
    { title: "SOURCE" },
  ];
  const lines = [
    ...renderTable(columns, rows, width, style.dim),
    ...section("Not published", left, ({ name, reason }) => style.yellow(printable(`${name}: ${reason}`))),
  ];
  return `${lines.join("\n")}\n`;
}

function renderSite(site: Site, { style }: Look): string {
  const { dir, publication, folders, written, unchanged, removed, kept } = site;
  const lines = [
    "",
    printable(
      `Published ${count(publication.skills.length, "skill")} in ${dir}: ${folders.join("/ and ")}/.`,
    ),
    `${count(written.length, "file")} written, ${unchanged} unchanged, ${removed.length} removed.`,
    ...section("Removed, because they are no longer published", removed, printable),
    ...section("Changed by someone since they were published, so they stay", kept, printable),
    "",
    style.dim("Put the folder on a web server; `npx skills add <its address>` then installs the skills."),
  ];
  return `${lines.join("\n")}\n`;
}
