import { folderAgent } from "../agent.ts";

export const agent = folderAgent("mcpjam", "MCPJam", [".mcpjam/skills"]); // skills
