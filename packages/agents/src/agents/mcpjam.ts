import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "mcpjam", title: "MCPJam", folders: inBoth(".mcpjam/skills") }; // skills
