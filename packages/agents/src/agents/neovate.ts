import { folderAgent } from "../agent.ts";

export const agent = folderAgent("neovate", "Neovate", [".neovate/skills"]); // skills
