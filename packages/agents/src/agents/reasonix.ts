import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "reasonix", title: "Reasonix", folders: inBoth(".reasonix/skills") }; // skills
