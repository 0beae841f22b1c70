import { folderAgent } from "../agent.ts";

export const agent = folderAgent("mux", "Mux", [".mux/skills"]); // skills
