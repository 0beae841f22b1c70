import { folderAgent } from "../agent.ts";

export const agent = folderAgent("minimax", "MiniMax Code", [".minimax/skills"]); // skills
