import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "mux", title: "Mux", folders: inBoth(".mux/skills") }; // skills
