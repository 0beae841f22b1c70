import { visibleLine } from "#util/pure";
import type { ShownSkill } from "./skill-header.ts";

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
