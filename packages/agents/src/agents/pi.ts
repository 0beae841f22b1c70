import { folderAgent } from "../agent.ts";

export const agent = folderAgent("pi", "Pi", [".pi/skills"], [".pi/agent/skills"]); // docs
