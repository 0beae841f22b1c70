import { folderAgent } from "../agent.ts";

export const agent = folderAgent("augment", "Augment", [".augment/skills"]); // skills
