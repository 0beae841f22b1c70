import { hostFieldsIn, listBundledFiles, loadSkill, pluginId, type Snapshot } from "#skills";
import { memoizeWeak, visibleLine } from "#util/pure";
import { baseUriOf } from "../resources/served-skills.ts";
import { unmetRequirements } from "./unmet-requirements.ts";

type SkillAsLoaded = Awaited<ReturnType<typeof loadSkill>>;

/** A loaded skill, with what its caller is told of its folder. */
export interface ShownSkill extends SkillAsLoaded {
  readonly bundled: Awaited<ReturnType<typeof listBundledFiles>>;
  /** The folder, or its URI for a caller on another machine, to which a path of this one is of no use. */
  readonly baseDirectory: string;
  readonly isRemote: boolean;
}

/** A header lists at most this many files. */
export const MOST_FILES_SHOWN = 50;

const NO_FILES: ShownSkill["bundled"] = { files: [], complete: true };

/** By whether the caller is on another machine. It saves a fifth of a call over HTTP, and the files are listed once. */
const shownOf = memoizeWeak((_loaded: SkillAsLoaded) => new Map<boolean, ShownSkill>());

/** Loads a skill and lists the files beside it. Returns the object of the call before if nothing of it has changed. */
export async function showSkill(
  snapshotWith: (name: string) => Promise<Snapshot>,
  name: string,
  isRemote: boolean,
): Promise<ShownSkill> {
  const snapshot = await snapshotWith(name);
  const loaded = await loadSkill(snapshot, name);
  const known = shownOf(loaded).get(isRemote);
  if (known !== undefined) return known;
  const { skill } = loaded.entry;
  // Most skills have no files, and the scan knows it.
  const bundled = snapshot.withFiles.has(skill.realDir) ? await listBundledFiles(skill) : NO_FILES;
  const baseDirectory = isRemote ? baseUriOf(snapshot.catalog, loaded.entry) : skill.dir;
  const shown = { ...loaded, bundled, baseDirectory, isRemote };
  shownOf(loaded).set(isRemote, shown);
  return shown;
}

/** Where a loaded skill came from, as data. */
export function skillHeader({ entry, fields, bundled, baseDirectory }: ShownSkill, mostFiles: number) {
  const { skill, listedAs } = entry;
  const hostFields = hostFieldsIn(fields);
  const files = bundled.files.slice(0, mostFiles).map((file) => ({ ...file, path: visibleLine(file.path) }));
  const more = bundled.files.length - files.length;
  return {
    name: listedAs,
    baseDirectory: visibleLine(baseDirectory),
    location: skill.location,
    provider: skill.provider,
    ...(skill.plugin === undefined ? {} : { plugin: visibleLine(pluginId(skill.plugin)) }),
    ...(skill.invocation === undefined ? {} : { invocation: skill.invocation }),
    ...(skill.requirements === undefined ? {} : { requirements: skill.requirements }),
    ...(Object.keys(hostFields).length === 0 ? {} : { frontMatter: hostFields }),
    ...(files.length === 0 ? {} : { files }),
    ...(more === 0 ? {} : { moreFiles: more }),
  };
}

/**
 * Where a loaded skill came from as text, up to the blank line before the file. The folder is named because the file refers to
 * others in it. Every value is one line, so that no name on the disk forges another line.
 */
export function headerText(shown: ShownSkill, mostFiles = MOST_FILES_SHOWN): string {
  const { name, baseDirectory, location, provider, plugin } = skillHeader(shown, mostFiles);
  const lines = [
    `Loading: ${name}`,
    `Base directory: ${baseDirectory}`,
    `Location: ${location}`,
    `Provider: ${provider}`,
    ...(plugin === undefined ? [] : [`Plugin: ${plugin}`]),
    ...unmetLine(shown),
    ...authorLines(shown),
    ...fileLines(shown, mostFiles),
  ];
  return `${lines.join("\n")}\n\n`;
}

/** What the skill needs is needed where the agent works. */
function unmetLine({ entry, isRemote }: ShownSkill): readonly string[] {
  const { requirements } = entry.skill;
  const unmet = requirements === undefined || isRemote ? [] : unmetRequirements(requirements);
  return unmet.length === 0 ? [] : [`Not met here: ${unmet.join("; ")}`];
}

function fileLines({ bundled, isRemote }: ShownSkill, mostFiles: number): readonly string[] {
  const { files, complete } = bundled;
  if (files.length === 0) return [];
  const listed = files.slice(0, mostFiles);
  const more = files.length - listed.length;
  return [
    "Files:",
    ...listed.map(({ path, size }) => `- ${visibleLine(path)} (${size} ${size === 1 ? "byte" : "bytes"})`),
    ...(more > 0 || !complete ? [`- … and ${complete ? "" : "at least "}${more} more`] : []),
    ...(isRemote ? ["Read them with `read_skill_file`; they are not on your machine."] : []),
  ];
}

/** The header, then the file. */
export function skillAnswer(shown: ShownSkill): string {
  return headerText(shown) + shown.text;
}

/**
 * Header lines for what some agents replace in a skill's text: the values of variables, and that commands were not run. The text
 * itself is not changed.
 */
export function authorLines({
  text,
  bodyStart,
  baseDirectory,
  pluginRoot,
  isRemote,
}: Pick<ShownSkill, "text" | "bodyStart" | "pluginRoot" | "baseDirectory" | "isRemote">): readonly string[] {
  const body = text.slice(bodyStart);
  const lines: string[] = [];
  if (body.includes(SKILL_DIR)) lines.push(`${SKILL_DIR}: ${visibleLine(baseDirectory)}`);
  if (body.includes(PLUGIN_ROOT)) {
    const missing = "not set, because the skill comes from no plugin";
    const folder = isRemote ? "a folder on the server's machine" : pluginRoot;
    lines.push(`${PLUGIN_ROOT}: ${pluginRoot === undefined ? missing : visibleLine(folder ?? "")}`);
  }
  if (COMMAND.test(body)) {
    lines.push(
      "Commands: the text has commands as !`command`; they were not run, so their output is missing",
    );
  }
  return lines;
}

const SKILL_DIR = "${CLAUDE_SKILL_DIR}";
const PLUGIN_ROOT = "${CLAUDE_PLUGIN_ROOT}";
/** A command in a line, or a fenced block of commands, whose fence ends in `!`. */
const COMMAND = /(?:^|[\s(])!`[^`\n]+`|^[ \t]{0,3}(?:```|~~~)!/m;
