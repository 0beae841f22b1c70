import { folderAgent } from "../agent.ts";

export const agent = folderAgent("astrbot", "AstrBot", [], [".astrbot/data/skills"]); // skills
