import path from "node:path";
import type { LibrarySkillInfo } from "#library";
import { requirementLines, type SkillInfo, type whySeen } from "#server";
import {
  type Diagnostic,
  type DisabledFor,
  diagnosticLine,
  explainInvocation,
  hostFieldText,
  pluginId,
  promptArguments,
  type RepoPlace,
  type Skill,
  USUAL,
  whomText,
} from "#skills";
import { columnsOf, fitLines, padToColumns, section, wrap } from "./layout.ts";
import { seenLines } from "./seen-by.ts";
import { librarySkillJson, skillJson } from "./skill-json.ts";
import { type Look, printable, type Style, sizeOf } from "./text.ts";

const DEFAULT_WIDTH = 100;
/** The sizes of files stand in one column, unless their names are longer. */
const WIDEST_FILE = 48;

/** What else is known of a skill: where it was installed from, and who is not shown it. */
interface KnownOf {
  readonly origin?: string | undefined;
  /** Why the Skills extension does not list it. */
  readonly reason?: string | undefined;
  readonly disabledFor?: readonly DisabledFor[];
  readonly seenBy?: SeenByAgents;
}

/** What the agents of this machine have of a skill. */
type SeenByAgents = ReturnType<typeof whySeen>;

/** What `info --json` prints. */
export function infoJson(
  info: SkillInfo,
  { reason: notPublished, disabledFor = [], origin, seenBy }: KnownOf = {},
) {
  const { entry, enabled, resources, hostFields, diagnostics } = info;
  return {
    ...skillJson(entry, disabledFor),
    invocation: entry.skill.invocation ?? USUAL,
    frontMatter: hostFields,
    file: path.join(entry.skill.dir, entry.skill.fileName),
    enabled,
    ...(seenBy === undefined ? {} : { seenBy: seenBy.groups }),
    ...(origin === undefined ? {} : { origin }),
    skillsExtension:
      notPublished === undefined ? { published: enabled } : { published: false, reason: notPublished },
    alsoSeen: entry.alsoSeen.map((skill) => skill.dir),
    ...(info.tokens === undefined ? {} : { tokens: info.tokens }),
    ...(info.digest === undefined ? {} : { digest: info.digest }),
    provenance: info.provenance,
    resources,
    diagnostics,
  };
}

/** What `info --json` prints of a library skill. */
export function libraryInfoJson(
  { skill, inherits, files, diagnostics }: LibrarySkillInfo,
  seenBy?: SeenByAgents,
) {
  return {
    ...librarySkillJson(skill),
    ...(seenBy === undefined ? {} : { seenBy: seenBy.groups }),
    priority: skill.priority,
    inherit: skill.inherit,
    inherits: inherits.map((parent) => parent.path),
    files,
    diagnostics,
  };
}

/** What `info` prints for people. */
export function renderInfo(
  info: SkillInfo,
  { width: terminalWidth, style }: Look,
  { reason: notPublished, disabledFor = [], origin, seenBy }: KnownOf = {},
): string {
  const width = terminalWidth ?? DEFAULT_WIDTH;
  const { entry, enabled, resources, resourcesCut, diagnostics } = info;
  const { skill, listedAs, shadowed, alsoSeen } = entry;
  const said = skill.invocation;
  const state = enabled ? "" : ` ${style.yellow("(disabled)")}`;
  const field = fieldLine(style);
  const widest = Math.min(WIDEST_FILE, Math.max(0, ...resources.map(({ path: file }) => columnsOf(file))));
  const widestSize = Math.max(0, ...resources.map(({ bytes }) => sizeOf(bytes).length));
  const lines = [
    `${style.bold(printable(listedAs))}${state}`,
    ...wrap(printable(skill.description), width),
    "",
    field("Location", skill.location),
    field("Provider", skill.provider),
    ...(skill.plugin === undefined || skill.plugin.package !== undefined
      ? []
      : [field("Plugin", pluginId(skill.plugin))]),
    ...(skill.label === undefined ? [] : [field("Label", skill.label)]),
    ...repoLines(skill.repo, field),
    ...(origin === undefined ? [] : [field("Origin", origin)]),
    ...seenFields(seenBy, field),
    ...(info.provenance.owner === undefined ? [] : [field("Owner", info.provenance.owner)]),
    ...(info.tokens === undefined
      ? []
      : [field("Tokens", `about ${info.tokens.toLocaleString("en")} when it is loaded`)]),
    field("Folder", skill.dir),
    ...approvedLine(skill, field),
    ...(info.digest === undefined ? [] : [field("Digest", info.digest)]),
    ...(skill.realDir === skill.dir ? [] : [field("Real path", skill.realDir)]),
    ...alsoSeen.map((other) => field("Also at", other.dir)),
    ...(said === undefined ? [] : [field("Invocation", explainInvocation(said))]),
    ...(said?.whenToUse === undefined ? [] : [field("Use when", said.whenToUse)]),
    ...(said?.internal === true ? [field("Internal", "yes, left out of the index for installers")] : []),
    ...requirementLines(skill.requirements).map(([name, value]) => field(name, value)),
    ...argumentLines(said, field),
    ...(disabledFor.length === 0 ? [] : [field("Disabled", disabledFor.map(whomText).join(", "))]),
    ...section(
      "Front matter for hosts (shown, not enforced)",
      Object.entries(info.hostFields),
      ([key, value]) => printable(hostFieldText(key, value)),
    ),
    ...section("Files", resources, (file) => {
      return `${padToColumns(printable(file.path), widest)}  ${style.dim(sizeOf(file.bytes).padStart(widestSize))}`;
    }),
    ...(resourcesCut ? ["  … and more"] : []),
    ...section("Shadows", shadowed, ({ dir, provider, location }) => {
      return `${printable(dir)}  ${style.dim(`${provider}, ${location}`)}`;
    }),
    ...problems(diagnostics, style),
    ...section(
      "Not published by the Skills extension (the tools still serve it)",
      notPublished === undefined ? [] : wrap(printable(notPublished), width - 2),
      String,
    ),
  ];
  return fitLines(`${lines.join("\n")}\n`, terminalWidth);
}

/** What `info` prints of a library skill for people. */
export function renderLibraryInfo(
  { skill, inherits, files, diagnostics }: LibrarySkillInfo,
  { width: terminalWidth, style }: Look,
  seenBy?: SeenByAgents,
): string {
  const field = fieldLine(style);
  const lines = [
    style.bold(printable(skill.path)),
    ...wrap(printable(skill.description), terminalWidth ?? DEFAULT_WIDTH),
    "",
    field("Provider", "library"),
    field("File", skill.file),
    ...seenFields(seenBy, field),
    field("Keywords", skill.keywords.join(", ")),
    ...(skill.priority === 0 ? [] : [field("Priority", String(skill.priority))]),
    ...(skill.inherit ? [] : [field("Inherits", "nothing (inherit: false)")]),
    ...section("Inherits from, most general first", inherits, (parent) => {
      return `${printable(parent.path)}  ${style.dim(printable(parent.description))}`;
    }),
    ...section("Files", files, (file) => fileLine(file, style)),
    ...problems(diagnostics, style),
  ];
  return fitLines(`${lines.join("\n")}\n`, terminalWidth);
}

function seenFields(
  seenBy: SeenByAgents | undefined,
  field: (label: string, value: string) => string,
): readonly string[] {
  return seenBy === undefined
    ? []
    : seenLines(seenBy).map((line, at) => field(at === 0 ? "Seen by" : "", line));
}

function repoLines(
  repo: RepoPlace | undefined,
  field: (label: string, value: string) => string,
): readonly string[] {
  if (repo === undefined) return [];
  return [
    field("Repository", repo.url),
    field("Path", repo.path === "" ? "." : repo.path),
    field("Commit", repo.commit),
  ];
}

function approvedLine(
  { approved, repo }: Skill,
  field: (label: string, value: string) => string,
): readonly string[] {
  if (approved === undefined) return [];
  return [field("Approved", repo === undefined ? `a copy of ${approved.from}` : "a copy of this commit")];
}

/** The text of a skill as `info --full` prints it, safe on a terminal. */
export function renderText(text: string): string {
  return `${text.replaceAll("\r\n", "\n").split("\n").map(printableLine).join("\n").trimEnd()}\n`;
}

/** Keeps tabs, which code is indented with. */
function printableLine(line: string): string {
  return line.split("\t").map(printable).join("\t");
}

function argumentLines(
  said: Skill["invocation"] | undefined,
  field: (label: string, value: string) => string,
): readonly string[] {
  const wanted = promptArguments(said);
  if (wanted.length === 0) return [];
  return [field("Arguments", said?.argumentHint ?? wanted.map(({ name }) => name).join(" "))];
}

const fieldLine =
  (style: Style) =>
  (label: string, value: string): string =>
    `${style.dim(label.padEnd(10))} ${printable(value)}`;

function problems(diagnostics: readonly Diagnostic[], style: Style): readonly string[] {
  return section("Problems", diagnostics, (diagnostic) =>
    style.yellow(printable(diagnosticLine(diagnostic))),
  );
}

function fileLine(
  { kind, file, from, network, bytes, problem }: LibrarySkillInfo["files"][number],
  style: Style,
): string {
  const origin = from === undefined ? "" : `, from ${from}`;
  const reach = network === true ? ", network" : "";
  const size = bytes === undefined ? "" : `, ${sizeOf(bytes)}`;
  const wrong = problem === undefined ? "" : `  ${style.yellow(printable(problem))}`;
  return `${printable(file)}  ${style.dim(printable(`${kind}${size}${reach}${origin}`))}${wrong}`;
}
