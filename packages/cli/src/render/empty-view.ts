import { ownProgram, SKILL_FOLDERS } from "#agents";
import { namedRepos } from "#sources";
import { libraryFolder, type ViewFlags } from "../shared-flags.ts";
import { fitLines } from "./layout.ts";
import { printable } from "./text.ts";

/**
 * What `list`, `search` and `eval` print when there are no skills: what leaves none of them, or where they searched, and what
 * to do next.
 */
export function renderEmptyView(
  flags: ViewFlags,
  width: number | undefined,
  nothingLeft: string | undefined,
): string {
  if (nothingLeft !== undefined) {
    const sentence = `${nothingLeft.charAt(0).toUpperCase()}${nothingLeft.slice(1)}.`;
    return fitLines(`${printable(sentence)} skills-mcp config shows what the settings files say.\n`, width);
  }
  const library = libraryFolder(flags.library);
  const hasRepos =
    library === undefined && (namedRepos(process.env) !== undefined || flags.repos !== undefined);
  const dirs = flags.root === undefined ? flags["skill-dir"] : [...flags["skill-dir"], flags.root];
  const searched = [
    ...(library === undefined ? [] : [`the library ${library}`]),
    ...(hasRepos ? ["the repositories that you named"] : []),
    ...dirs,
    ...(flags["no-default-dirs"] ? [] : [defaultFolders()]),
  ];
  const isNamed = library !== undefined || hasRepos;
  const [dir] = dirs;
  const hints = [
    ...(library === undefined ? [] : [LIBRARY_FILE]),
    ...(hasRepos ? ["Run skills-mcp doctor for the state of each repository.\n"] : []),
    ...(dir === undefined ? [] : [firstSkill(printable(dir), ` --skill-dir ${quoted(printable(dir))}`)]),
    ...(dir === undefined && !isNamed ? [flags["no-default-dirs"] ? NOWHERE : firstSkill(AGENTS_DIR)] : []),
  ];
  const places = searched.length === 0 ? "" : ` in ${printable(searched.join(", "))}`;
  return fitLines(`No skills found${places}.\n\n${hints.join("\n")}`, width);
}

const AGENTS_DIR = ".agents/skills";

const NOWHERE = "There is no folder to search: add one with --skill-dir, or drop --no-default-dirs.\n";

const LIBRARY_FILE = `A library is a folder of Markdown files that start like this:

  ---
  keywords: [login, session]
  description: How people log in
  ---
`;

function firstSkill(dir: string, flag = ""): string {
  const isUsual = dir === AGENTS_DIR;
  const { shown: ours } = ownProgram();
  const get = isUsual ? `\n  ${ours} add anthropics/skills pdf` : "";
  return `A skill is a folder with a SKILL.md file. ${isUsual ? "Install one, or write your own" : "Write one"}:
${get}
  ${ours} new hello${isUsual ? "" : ` --dir ${quoted(dir)}`}
  ${ours} list${flag}
`;
}

/** Quotes a word for a shell, if it needs quotes. */
function quoted(text: string): string {
  return /^[\w./~][\w./~-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

function defaultFolders(): string {
  const folders = SKILL_FOLDERS.flatMap(({ project }) => project);
  return `${folders.slice(0, 4).join(", ")} and ${folders.length - 4} folders of other agents, in this folder and its parents up to the repository root, and in your home folder`;
}
