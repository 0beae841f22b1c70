import { folderAgent } from "../agent.ts";

export const agent = folderAgent("codearts", "CodeArts Agent", [".codeartsdoer/skills"]); // skills
