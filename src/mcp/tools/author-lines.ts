import type { LoadedSkill } from "../../app/skills/load-skill.ts";

/**
 * What a host of the skill's dialect would have put into its text, as lines of the header: the text itself stays as it is.
 * `folder` is the skill's folder as the caller can reach it.
 */
export function authorLines(loaded: Pick<LoadedSkill, "text" | "bodyStart" | "pluginRoot">, folder: string) {
  const body = loaded.text.slice(loaded.bodyStart);
  const lines: string[] = [];
  if (body.includes(SKILL_DIR)) lines.push(`${SKILL_DIR}: ${folder}`);
  if (body.includes(PLUGIN_ROOT)) {
    lines.push(`${PLUGIN_ROOT}: ${loaded.pluginRoot ?? "not set, because the skill comes from no plugin"}`);
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
/** In a line, or as a fenced block whose fence ends in `!`. */
const COMMAND = /(?:^|[\s(])!`[^`\n]+`|^[ \t]{0,3}(?:```|~~~)!/m;
