import { expect, test } from "vitest";
import { loadedSkills } from "../../../src/evals/run-agent.ts";

const call = (tool: string, input: unknown) => ({ type: "tool_use", name: tool, input });
const load = (skill: string) => call("Skill", { skill });
const command = (text: unknown) => ({ type: "command_execution", command: text });

test.each<[string, string, readonly string[]]>([
  [
    "Claude Code",
    '{"message":{"content":[{"type":"tool_use","name":"mcp__skills__skill","input":{"name":"pdf"}}]}}',
    ["pdf"],
  ],
  [
    "Claude Code's own tool",
    '{"message":{"content":[{"type":"tool_use","name":"Skill","input":{"skill":"a:pdf"}}]}}',
    ["a:pdf"],
  ],
  [
    "Codex",
    '{"item":{"type":"mcp_tool_call","server":"skills","tool":"skill","arguments":{"name":"pdf"}}}',
    ["pdf"],
  ],
  [
    "Codex's own skills",
    '{"item":{"type":"command_execution","command":"cat /h/.agents/skills/pdf/SKILL.md"}}',
    ["pdf"],
  ],
  ["Gemini CLI", '{"type":"tool_use","tool_name":"mcp_skills_skill","parameters":{"name":"pdf"}}', ["pdf"]],
  ["another tool", '{"type":"tool_use","name":"read_file","input":{"name":"pdf"}}', []],
  ["no JSON", "Loading skill pdf\n{cut", []],
])("what %s loads is read from its output", (_agent, output, skills) => {
  expect(loadedSkills(`noise\n${output}\n`)).toEqual(skills);
});

test.each<[string, unknown, readonly string[]]>([
  ["several calls are several skills", { content: [load("pdf"), load("charts")] }, ["pdf", "charts"]],
  ["a skill that is loaded twice is one", { content: [load("pdf"), load("pdf")] }, ["pdf"]],
  ["null and texts before a call do not matter", { id: null, role: "assistant", is: load("pdf") }, ["pdf"]],
  ["a slash command is the name of a skill", call("Skill", { command: "/pdf" }), ["pdf"]],
  ["the first key with a text names the skill", call("Skill", { name: "", skill_name: "pdf" }), ["pdf"]],
  ["the first key with a text names the tool", { name: "", tool: "skill", args: { name: "pdf" } }, ["pdf"]],
  ["the tool of another agent", call("activate_skill", { name: "pdf" }), ["pdf"]],
  ["a tool whose name only ends like it", call("upskill", { name: "pdf" }), []],
  ["a tool that lists skills", call("list_skills", { name: "pdf" }), []],
  ["a call without the name of a skill", call("skill", { limit: 3 }), []],
  ["a call with a text for its arguments", call("skill", "pdf"), []],
  ["arguments without a tool", { input: { name: "pdf" } }, []],
  ["a command that reads two", command("cat 'a/pdf/SKILL.md' b/csv/SKILL.md"), ["pdf", "csv"]],
  ["a command with a Windows path", command(String.raw`type C:\skills\pdf\SKILL.md`), ["pdf"]],
  ["a command that reads another file", command("cat pdf/README.md"), []],
  ["a command as a list", command(["cat", "pdf/SKILL.md"]), []],
  ["a command that is only mentioned", { type: "text", command: "cat pdf/SKILL.md" }, []],
  ["a line that is no object", [load("pdf")], []],
])("in the output of an agent: %s", (_what, line, skills) => {
  expect(loadedSkills(JSON.stringify(line))).toEqual(skills);
});

test("a call is found eight levels deep, and no deeper", () => {
  const nested = (levels: number): unknown =>
    levels === 0 ? load("pdf") : { [`level${levels}`]: nested(levels - 1) };
  expect(loadedSkills(JSON.stringify(nested(8)))).toEqual(["pdf"]);
  expect(loadedSkills(JSON.stringify(nested(9)))).toEqual([]);
});
