// Cline's CLI with an OpenAI compatible provider. It leaves a process behind that serves later sessions.
export const cline = [
  {
    id: "cline",
    title: "Cline CLI",
    program: "cline",
    page: "cline",
    tool: "skills__skill",
    start({ world, modelUrl, server, prompt, inPath }) {
      const provider = "openai-compatible";
      const settings = { provider, apiKey: "none", model: "stub-model", baseUrl: `${modelUrl}/v1` };
      const providers = {
        [provider]: { settings, updatedAt: "2026-01-01T00:00:00.000Z", tokenSource: "manual" },
      };
      const folder = "home/.cline/data/settings";
      world.write(
        `${folder}/providers.json`,
        JSON.stringify({ version: 1, lastUsedProvider: provider, modes: {}, providers }),
      );
      const mcpServers = { skills: { transport: { type: "stdio", ...server } } };
      world.write(`${folder}/cline_mcp_settings.json`, JSON.stringify({ mcpServers }));
      return {
        command: inPath("cline"),
        args: ["-P", provider, "-m", "stub-model", "--json", prompt],
        env: { CLINE_TELEMETRY_DISABLED: "1" },
      };
    },
  },
];
