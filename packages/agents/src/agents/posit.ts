import { folderAgent } from "../agent.ts";

export const agent = folderAgent("posit", "Posit Assistant", [".posit/assistant/skills"]); // skills
