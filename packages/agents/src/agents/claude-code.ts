import { type Agent, inBoth } from "../agent.ts";
import { addCommand, JSON_SERVERS, TYPED } from "../connect/entry-forms.ts";
import { HOOK_LIKE_CLAUDE } from "../hooks/hook-form.ts";

export const agent: Agent = {
  id: "claude-code",
  title: "Claude Code",
  provider: "claude",
  instructions: ["CLAUDE.md", "CLAUDE.local.md"], // docs
  folders: {
    ...inBoth(".claude/skills"), // skills, docs
    system: {
      darwin: "/Library/Application Support/ClaudeCode/.claude/skills", // source
      win32: "C:\\Program Files\\ClaudeCode\\.claude\\skills", // source
      unix: "/etc/claude-code/.claude/skills", // source
    },
    movedBy: ["CLAUDE_CONFIG_DIR", ".claude"], // docs
  },
  client: {
    name: "claude-code",
    measured: {
      pattern: /^claude[ _-]?code\b/i,
      traits: {
        listIn: ["description", "instructions"],
        // Up to 2.1.293 it cut both at 2,048 characters.
        budgets: { description: 1_950, instructions: 2_000 },
        reads: inBoth(".claude/skills"),
        readsAbove: true,
        readsPlugins: ["claude"],
        // 50,000, unless the tool's `anthropic/maxResultSizeChars` allows more, as ours does.
        answerLimit: { count: 500_000, unit: "characters" },
        structuredReplacesText: true,
        acceptsEnum: true,
      },
      since: [["2.1.296", { budgets: { description: 3_900, instructions: 4_000 } }]],
    },
  },
  connect: {
    ...JSON_SERVERS,
    ...TYPED,
    documentation: "https://code.claude.com/docs/en/mcp",
    tokenEnv: { header: (variable) => `Bearer \${${variable}}` }, // docs
    user: ["~/.claude.json"],
    movedBy: ["CLAUDE_CONFIG_DIR", ".claude.json"],
    project: [".mcp.json"],
    folders: ["~/.claude", "~/.claude.json"],
    programs: ["claude"],
    add: addCommand("claude", " --scope user"),
    next: "Start a new session of Claude Code; /mcp shows the server.",
    nextInProject: "Start Claude Code in this folder and approve the server when it asks; /mcp shows it.",
  },
  hook: {
    ...HOOK_LIKE_CLAUDE,
    documentation: "https://code.claude.com/docs/en/hooks",
    user: ["~/.claude/settings.json"],
    movedBy: ["CLAUDE_CONFIG_DIR", "settings.json"],
    project: [".claude/settings.json"],
    tool: "mcp__skills__skill",
    native: "load it with the Skill tool",
    next: "Start a new session of Claude Code; /hooks shows the hook.",
  },
  run: {
    program: "claude",
    args: (prompt) => [
      ...["-p", prompt, "--output-format", "stream-json", "--verbose"],
      ...["--allowedTools", "Skill,mcp__skills__skill,mcp__skills__find_skills"],
    ],
  },
};
