import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "pochi", title: "Pochi", folders: inBoth(".pochi/skills") }; // skills
