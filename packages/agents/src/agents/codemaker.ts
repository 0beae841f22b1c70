import { folderAgent } from "../agent.ts";

export const agent = folderAgent("codemaker", "Codemaker", [".codemaker/skills"]); // skills
