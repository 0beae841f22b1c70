import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "augment", title: "Augment", folders: inBoth(".augment/skills") }; // skills
