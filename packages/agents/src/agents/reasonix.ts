import { folderAgent } from "../agent.ts";

export const agent = folderAgent("reasonix", "Reasonix", [".reasonix/skills"]); // skills
