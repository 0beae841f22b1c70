// Continue's CLI. It offers tools under their own names.
export const continueCli = [
  {
    id: "continue",
    title: "Continue CLI",
    program: "continue",
    page: "continue",
    tool: "skill",
    needsNode22: true,
    start({ world, modelUrl, server, prompt, inPath, node22 }) {
      const config = `
name: check
version: 1.0.0
schema: v1
models:
  - name: stub
    provider: openai
    model: stub-model
    apiBase: ${modelUrl}/v1
    apiKey: none
    roles: [chat]
    capabilities: [tool_use]
mcpServers:
  - name: skills
    command: ${JSON.stringify(server.command)}
    args: ${JSON.stringify(server.args)}
`;
      const file = world.write("continue.yaml", config);
      return {
        command: node22,
        args: [inPath("cn"), "-p", prompt, "--config", file, "--auto"],
        env: { CONTINUE_TELEMETRY_ENABLED: "0", CONTINUE_CLI_ENABLE_TELEMETRY: "0" },
      };
    },
  },
];
