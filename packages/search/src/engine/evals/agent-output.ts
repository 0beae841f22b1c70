import { isRecord } from "#util/pure";

/** What agents call the tools that load a skill: ours and their own. */
const SKILL_TOOL = /(?:^|[_.-])(?:skill|activate_skill)$/i;
const TOOL_KEYS = ["name", "tool", "tool_name"];
const ARGUMENT_KEYS = ["input", "arguments", "parameters", "args"];
const SKILL_KEYS = ["name", "skill", "skill_name", "command"];
const DEEPEST = 8;

/**
 * The names of the skills that an agent loaded, from its output as lines of JSON: calls of a tool that loads skills, and
 * commands that read a SKILL.md, which is how some agents load those that they find by themselves.
 */
export function loadedSkills(output: string): readonly string[] {
  const found = new Set<string>();
  for (const line of output.split("\n")) {
    if (!line.startsWith("{")) continue;
    try {
      collect(JSON.parse(line), found, 0);
    } catch {
      // A line that was cut, or no JSON at all.
    }
  }
  return [...found];
}

function collect(value: unknown, found: Set<string>, depth: number): void {
  if (depth > DEEPEST || typeof value !== "object" || value === null) return;
  if (isRecord(value)) {
    const tool = textAt(value, TOOL_KEYS);
    const input = ARGUMENT_KEYS.map((key) => value[key]).find(isRecord);
    const skill = input === undefined ? undefined : textAt(input, SKILL_KEYS);
    if (tool !== undefined && SKILL_TOOL.test(tool) && skill !== undefined)
      found.add(skill.replace(/^\//, ""));
    const command = value["type"] === "command_execution" ? value["command"] : undefined;
    if (typeof command === "string") {
      for (const [, name = ""] of command.matchAll(/([^\s/\\'"]+)[\\/]SKILL\.md/g)) found.add(name);
    }
  }
  for (const inner of Object.values(value)) collect(inner, found, depth + 1);
}

function textAt(value: Readonly<Record<string, unknown>>, keys: readonly string[]): string | undefined {
  const text = keys.map((key) => value[key]).find((one) => typeof one === "string" && one !== "");
  return typeof text === "string" ? text : undefined;
}
