import { folderAgent } from "../agent.ts";

export const agent = folderAgent("codebuddy", "CodeBuddy", [".codebuddy/skills"]); // skills
