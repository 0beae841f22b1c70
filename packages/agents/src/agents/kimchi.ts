import { folderAgent } from "../agent.ts";

export const agent = folderAgent("kimchi", "Kimchi", [".kimchi/skills"], [".config/kimchi/harness/skills"]); // skills
