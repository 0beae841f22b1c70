import { folderAgent } from "../agent.ts";

export const agent = folderAgent("tinycloud", "Tinycloud", [".tinycloud/skills"]); // skills
