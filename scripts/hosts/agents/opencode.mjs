// opencode, and Kilo's CLI, which began as a copy of it and has the same settings.
const PROVIDER = {
  npm: "@ai-sdk/openai-compatible",
  name: "stub",
  models: {
    "stub-model": { name: "stub-model", tool_call: true, limit: { context: 200_000, output: 8_000 } },
  },
};

function settingsOf(modelUrl, server) {
  return {
    autoupdate: false,
    share: "disabled",
    model: "stub/stub-model",
    small_model: "stub/stub-model",
    provider: { stub: { ...PROVIDER, options: { baseURL: `${modelUrl}/v1`, apiKey: "none" } } },
    mcp: { skills: { type: "local", command: [server.command, ...server.args], enabled: true } },
  };
}

const OFFLINE = { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" };

export const opencode = [
  {
    id: "opencode",
    title: "opencode",
    program: "opencode",
    page: "opencode",
    tool: "skills_skill",
    slash: (name) => `/skills:${name}`,
    start({ world, modelUrl, server, prompt, inPath }) {
      const settings = { ...settingsOf(modelUrl, server), permission: "allow" };
      world.write("home/.config/opencode/opencode.json", JSON.stringify(settings));
      const env = { ...OFFLINE, OPENCODE_DISABLE_DEFAULT_PLUGINS: "1", OPENCODE_DISABLE_LSP_DOWNLOAD: "1" };
      // On the command line, a slash command is a flag.
      const [, slash, text] = /^\/(\S+) ([^]*)$/.exec(prompt) ?? [undefined, undefined, prompt];
      const args = ["run", ...(slash === undefined ? [] : ["--command", slash]), text];
      return { command: inPath("opencode"), args, env };
    },
  },
];

export const kilo = [
  {
    id: "kilo",
    title: "Kilo CLI",
    program: "kilo",
    page: "kilo",
    tool: "skills_skill",
    start({ world, modelUrl, server, prompt, inPath }) {
      const settings = { ...settingsOf(modelUrl, server), permission: { "*": "allow" } };
      world.write("home/.config/kilo/kilo.json", JSON.stringify(settings));
      const env = { ...OFFLINE, KILO_DISABLE_MODELS_FETCH: "1", KILO_DISABLE_AUTOUPDATE: "1" };
      return { command: inPath("kilo"), args: ["run", "--auto", prompt], env };
    },
  },
];
