import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "moxby", title: "Moxby", folders: inBoth(".moxby/skills") }; // skills
