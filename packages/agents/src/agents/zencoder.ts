import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "zencoder", title: "Zencoder", folders: inBoth(".zencoder/skills") }; // skills
