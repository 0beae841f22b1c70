import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "ona", title: "Ona", folders: inBoth(".ona/skills") }; // skills
