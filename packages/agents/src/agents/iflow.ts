import { folderAgent } from "../agent.ts";

export const agent = folderAgent("iflow", "iFlow CLI", [".iflow/skills"]); // skills
