// Nanocoder. It offers tools under their own names, and is configured in the project.
export const nanocoder = [
  {
    id: "nanocoder",
    title: "Nanocoder",
    program: "nanocoder",
    page: "nanocoder",
    tool: "skill",
    needsNode22: true,
    start({ world, modelUrl, server, prompt, inPath, node22 }) {
      const provider = { name: "stub", baseUrl: `${modelUrl}/v1`, apiKey: "none", models: ["stub-model"] };
      world.write("project/agents.config.json", JSON.stringify({ nanocoder: { providers: [provider] } }));
      const mcpServers = { skills: { transport: "stdio", ...server, alwaysAllow: ["skill"] } };
      world.write("project/.mcp.json", JSON.stringify({ mcpServers }));
      const model = ["--provider", "stub", "--model", "stub-model"];
      return { command: node22, args: [inPath("nanocoder"), "--trust-directory", ...model, "run", prompt] };
    },
  },
];
