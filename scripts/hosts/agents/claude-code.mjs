// Claude Code keeps its own behaviour only for its vendor's address: with another one it shows tools as a gateway would.
const QUIET = {
  ANTHROPIC_API_KEY: "sk-ant-not-a-key",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  DISABLE_ERROR_REPORTING: "1",
  DISABLE_TELEMETRY: "1",
  IS_SANDBOX: "1",
};

const CLAUDE = {
  program: "claude",
  page: "claude-code",
  tool: "mcp__skills__skill",
  vendor: "api.anthropic.com",
};

export const claudeCode = [
  {
    ...CLAUDE,
    id: "claude",
    title: "Claude Code, headless",
    slash: (name) => `/mcp__skills__${name}`,
    start({ world, server, prompt, inPath }) {
      const config = { mcpServers: { skills: { type: "stdio", ...server } } };
      const file = world.write("mcp.json", JSON.stringify(config));
      const args = [
        "-p",
        prompt,
        "--mcp-config",
        file,
        "--strict-mcp-config",
        "--allowedTools",
        "mcp__skills",
      ];
      return { command: inPath("claude"), args, env: QUIET };
    },
  },
  {
    ...CLAUDE,
    id: "claude-terminal",
    title: "Claude Code, terminal",
    start({ world, server, inPath }) {
      const answered = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
      const state = {
        hasCompletedOnboarding: true,
        theme: "dark",
        customApiKeyResponses: { approved: [QUIET.ANTHROPIC_API_KEY.slice(-20)], rejected: [] },
        projects: { [world.project]: answered },
        mcpServers: { skills: { type: "stdio", ...server } },
      };
      world.write("home/.claude.json", JSON.stringify(state));
      world.write("home/.claude/settings.json", JSON.stringify({ permissions: { allow: ["mcp__skills"] } }));
      // `script` gives it a terminal; without a size, nothing would be drawn.
      const command = `stty rows 50 cols 160; exec '${inPath("claude")}'`;
      return {
        command: "script",
        args: ["--quiet", "--flush", "--command", command, "/dev/null"],
        env: { ...QUIET, TERM: "xterm-256color" },
        isReady: (screen) => screen.includes("❯"),
      };
    },
  },
];
