import { folderAgent } from "../agent.ts";

export const agent = folderAgent("inference-sh", "inference.sh", [".inferencesh/skills"]); // skills
