import type { Agent } from "../agent.ts";

export const agent: Agent = {
  id: "openclaw",
  title: "OpenClaw",
  // skills; the last two are its former names
  folders: { project: [], user: [".openclaw/skills", ".clawdbot/skills", ".moltbot/skills"] },
};
