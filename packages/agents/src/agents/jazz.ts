import { folderAgent } from "../agent.ts";

export const agent = folderAgent("jazz", "Jazz", [".jazz/skills"]); // skills
