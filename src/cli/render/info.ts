import path from "node:path";
import type { SkillInfo } from "../../app/skills/skill-info.ts";
import { diagnosticLine } from "../../skill/diagnostic.ts";
import { pluginId, type Skill } from "../../skill/skill.ts";
import { printable } from "./columns.ts";
import { section, sizeOf, wrap } from "./paragraphs.ts";
import { skillJson } from "./skill-json.ts";
import type { Style } from "./style.ts";

/** What `info --json` prints. `notPublished` is why the Skills extension does not list the skill. */
export function infoJson(info: SkillInfo, notPublished?: string) {
  const { entry, enabled, resources, diagnostics } = info;
  return {
    ...skillJson(entry),
    file: path.join(entry.skill.dir, entry.skill.fileName),
    enabled,
    skillsExtension:
      notPublished === undefined ? { published: enabled } : { published: false, reason: notPublished },
    alsoSeen: entry.alsoSeen.map((skill) => skill.dir),
    resources,
    diagnostics,
  };
}

/** What `info` prints for people. */
export function renderInfo(
  info: SkillInfo,
  width: number | undefined,
  style: Style,
  notPublished?: string,
): string {
  const { entry, enabled, resources, resourcesCut, diagnostics } = info;
  const { skill, listedAs, shadowed, alsoSeen } = entry;
  const state = enabled ? "" : ` ${style.yellow("(disabled)")}`;
  const field = (label: string, value: string): string =>
    `${style.dim(label.padEnd(10))} ${printable(value)}`;
  const lines = [
    `${style.bold(printable(listedAs))}${state}`,
    ...wrap(printable(skill.description), width ?? 100),
    "",
    field("Location", skill.location),
    field("Provider", skill.provider),
    ...(skill.plugin === undefined ? [] : [field("Plugin", pluginId(skill.plugin))]),
    field("Folder", skill.dir),
    ...(skill.realDir === skill.dir ? [] : [field("Real path", skill.realDir)]),
    ...alsoSeen.map((other) => field("Also at", other.dir)),
    ...section(
      "Files beside it",
      resources.map((file) => `${printable(file.path)}  ${style.dim(sizeOf(file.bytes))}`),
    ),
    ...(resourcesCut ? ["  … and more"] : []),
    ...section(
      "Shadows",
      shadowed.map((other) => `${printable(other.dir)}  ${style.dim(placeOf(other))}`),
    ),
    ...section(
      "To fix",
      diagnostics.map((diagnostic) => style.yellow(printable(diagnosticLine(diagnostic)))),
    ),
    ...section(
      "Not listed by the Skills extension, though the tools serve it",
      notPublished === undefined ? [] : wrap(printable(notPublished), (width ?? 100) - 2),
    ),
  ];
  return `${lines.join("\n")}\n`;
}

function placeOf(skill: Skill): string {
  return `${skill.provider}, ${skill.location}`;
}
