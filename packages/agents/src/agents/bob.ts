import { folderAgent } from "../agent.ts";

export const agent = folderAgent("bob", "IBM Bob", [".bob/skills"]); // skills
