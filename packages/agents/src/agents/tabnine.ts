import { folderAgent } from "../agent.ts";

export const agent = folderAgent("tabnine", "Tabnine CLI", [".tabnine/agent/skills"]); // skills
