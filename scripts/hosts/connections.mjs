// How each client is asked for the servers that it knows. `shows` is what it answers; those without such a command are given a
// prompt and a model that nobody serves, since they start their servers first.
const NO_MODEL = "http://127.0.0.1:9/v1";
const PROMPT = "Say hello to everyone.";

export const CONNECTIONS = [
  {
    id: "claude-code",
    program: "claude",
    file: ".claude.json",
    before: { ".claude.json": '{\n  "numStartups": 1,\n  "mcpServers": {}\n}' },
    args: ["mcp", "list"],
    shows: /skills: \S*node \S*cli\.js - .* Connected/,
  },
  {
    id: "codex",
    program: "codex",
    file: ".codex/config.toml",
    before: {
      ".codex/config.toml": `# Mine\r\nmodel_provider = "stub"\r\n\r\n[model_providers.stub] # nobody\r\nname = "stub"\r\nbase_url = "${NO_MODEL}"\r\nwire_api = "responses"\r\n`,
    },
    args: ["exec", "--skip-git-repo-check", PROMPT],
  },
  {
    id: "gemini-cli",
    program: "gemini",
    file: ".gemini/settings.json",
    before: { ".gemini/settings.json": '{\n\t// Mine\n\t"general": { "enableAutoUpdate": false }\n}\n' },
    args: ["mcp", "list"],
    env: { GEMINI_CLI_TRUST_WORKSPACE: "true" },
    shows: /skills: \S*node \S*cli\.js \(stdio\) - Connected/,
  },
  {
    id: "opencode",
    program: "opencode",
    file: ".config/opencode/opencode.jsonc",
    before: { ".config/opencode/opencode.jsonc": '{\n  // Mine\n  "autoupdate": false, // and this\n}\n' },
    args: ["mcp", "list"],
    env: { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" },
    shows: /skills .*connected/,
  },
  {
    id: "qwen-code",
    program: "qwen",
    file: ".qwen/settings.json",
    before: { ".qwen/settings.json": "{}" },
    args: ["mcp", "list"],
    shows: /skills: \S*node \S*cli\.js \(stdio\) - Connected/,
  },
  {
    id: "kilo",
    program: "kilo",
    file: ".config/kilo/kilo.jsonc",
    args: ["mcp", "list"],
    env: { KILO_DISABLE_MODELS_FETCH: "1", KILO_DISABLE_AUTOUPDATE: "1" },
    shows: /skills .*connected/,
  },
  {
    id: "copilot-cli",
    program: "copilot",
    file: ".copilot/mcp-config.json",
    args: ["-p", PROMPT, "--allow-all-tools"],
    env: { COPILOT_PROVIDER_BASE_URL: NO_MODEL, COPILOT_MODEL: "stub" },
  },
  {
    id: "cline",
    program: "cline",
    file: ".cline/data/settings/cline_mcp_settings.json",
    before: {
      ".cline/data/settings/providers.json": JSON.stringify({
        version: 1,
        lastUsedProvider: "openai-compatible",
        modes: {},
        providers: {
          "openai-compatible": {
            settings: { provider: "openai-compatible", apiKey: "none", model: "stub", baseUrl: NO_MODEL },
            updatedAt: "2026-01-01T00:00:00.000Z",
            tokenSource: "manual",
          },
        },
      }),
    },
    args: ["-P", "openai-compatible", "-m", "stub", "--json", PROMPT],
    env: { CLINE_TELEMETRY_DISABLED: "1" },
  },
  {
    id: "continue",
    program: "continue",
    bin: "cn",
    needsNode22: true,
    file: ".continue/config.yaml",
    before: {
      ".continue/config.yaml": `name: Mine # and not yours\nversion: 1.0.0\nschema: v1\nmodels:\n  - name: stub\n    provider: openai\n    model: stub\n    apiBase: ${NO_MODEL}\n    apiKey: none\n    roles: [chat]\n`,
    },
    args: ["-p", PROMPT, "--auto"],
    env: { CONTINUE_TELEMETRY_ENABLED: "0", CONTINUE_CLI_ENABLE_TELEMETRY: "0" },
  },
  {
    id: "nanocoder",
    program: "nanocoder",
    needsNode22: true,
    file: ".config/nanocoder/.mcp.json",
    before: {
      ".config/nanocoder/agents.config.json": JSON.stringify({
        nanocoder: { providers: [{ name: "stub", baseUrl: NO_MODEL, apiKey: "none", models: ["stub"] }] },
      }),
    },
    args: ["--trust-directory", "--provider", "stub", "--model", "stub", "run", PROMPT],
  },
];
