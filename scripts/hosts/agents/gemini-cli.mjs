// Gemini CLI, and Qwen Code, which began as a copy of it and has the same settings.
const QUIET = {
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false, disableAutoUpdate: true },
};

function writeSettings(world, folder, server, auth, more) {
  const security = { auth: { selectedType: auth }, folderTrust: { enabled: false } };
  const settings = { ...QUIET, security, mcpServers: { skills: { ...server, trust: true, ...more } } };
  world.write(`home/${folder}/settings.json`, JSON.stringify(settings));
}

export const geminiCli = [
  {
    id: "gemini",
    title: "Gemini CLI",
    program: "gemini",
    page: "gemini-cli",
    tool: "mcp_skills_skill",
    slash: (name) => `/${name}`,
    start({ world, modelUrl, server, prompt, inPath }) {
      writeSettings(world, ".gemini", server, "gemini-api-key");
      return {
        command: inPath("gemini"),
        args: ["-p", prompt, "--approval-mode", "yolo", "-m", "gemini-2.5-pro", "--skip-trust"],
        env: { GEMINI_API_KEY: "none", GOOGLE_GEMINI_BASE_URL: modelUrl, GEMINI_CLI_TRUST_WORKSPACE: "true" },
      };
    },
  },
];

const QWEN = {
  program: "qwen",
  page: "qwen-code",
  tool: "mcp__skills__skill",
  needsNode22: true,
};

const startQwen =
  (more) =>
  ({ world, modelUrl, server, prompt, inPath, node22 }) => {
    writeSettings(world, ".qwen", server, "openai", more);
    return {
      command: node22,
      args: [inPath("qwen"), "-p", prompt, "--approval-mode", "yolo"],
      env: { OPENAI_API_KEY: "none", OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_MODEL: "stub-model" },
    };
  };

export const qwenCode = [
  { ...QWEN, id: "qwen", title: "Qwen Code", slash: (name) => `/${name}`, start: startQwen() },
  {
    ...QWEN,
    id: "qwen-shown",
    title: "Qwen Code, `alwaysLoadTools`",
    start: startQwen({ alwaysLoadTools: true }),
  },
];
