import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "terramind", title: "Terramind", folders: inBoth(".terramind/skills") }; // skills
