import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "lingma", title: "Lingma", folders: inBoth(".lingma/skills") }; // skills
