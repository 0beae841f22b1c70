import { folderAgent } from "../agent.ts";

export const agent = folderAgent("command-code", "Command Code", [".commandcode/skills"]); // skills
