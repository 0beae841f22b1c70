import type { Agent } from "../agent.ts";

/** No program: the folders that many agents share. They come first. */
export const agent: Agent = {
  id: "agents",
  title: "Agent Skills",
  // Skills: agents that read these folders alone.
  alsoCalled: [
    ...["universal", "dexto", "fx", "kimi-code-cli", "loaf", "promptscript", "replit", "sarvam-code", "warp"],
  ],
  instructions: ["AGENTS.md"], // https://agents.md
  folders: {
    project: [".agents/skills", ".agent/skills"], // skills (amp, universal), source (Codex)
    user: [".agents/skills", ".agent/skills", ".config/agents/skills"], // skills (amp, universal)
  },
  // Source: Agent Plugins Specification 1.0.0, §4 to §7.1.
  plugins: {
    dir: ".agents/plugins",
    inProjects: true,
    levels: ["plugin"],
    manifests: ["plugin.json"],
    needsManifest: true,
    namedByManifest: true,
  },
};
