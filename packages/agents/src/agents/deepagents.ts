import { folderAgent } from "../agent.ts";

export const agent = folderAgent("deepagents", "Deep Agents", [], [".deepagents/agent/skills"]); // skills
