// Codex chooses by model how it shows tools: called from code (its default model), found with a search, or directly. Its first
// turn does not wait for a server unless that is `required`.
const CODEX = { program: "codex", page: "codex", tool: "mcp__skills__skill" };

export const codex = [
  { ...CODEX, id: "codex", title: "Codex, default model (code mode)", start: startWith() },
  { ...CODEX, id: "codex-search", title: "Codex, tool search", start: startWith({ model: "gpt-5.5" }) },
  {
    ...CODEX,
    id: "codex-direct",
    title: "Codex, other models (direct)",
    start: startWith({ model: "stub-model" }),
  },
  {
    ...CODEX,
    id: "codex-shown",
    title: 'Codex, `omit_tools_from = ["deferred"]`',
    start: startWith({ server: 'omit_tools_from = ["deferred"]' }),
  },
];

function startWith({ model, server: setting = "" } = {}) {
  return ({ world, modelUrl, server, prompt, inPath }) => {
    const config = `
${model === undefined ? "" : `model = "${model}"`}
model_provider = "stub"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.stub]
name = "stub"
base_url = "${modelUrl}/v1"
env_key = "STUB_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[mcp_servers.skills]
command = ${JSON.stringify(server.command)}
args = ${JSON.stringify(server.args)}
required = true
${setting}
`;
    world.write("home/.codex/config.toml", config);
    return {
      command: inPath("codex"),
      args: ["exec", "--skip-git-repo-check", "--json", prompt],
      env: { STUB_KEY: "none" },
    };
  };
}
