import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "kode", title: "Kode", folders: inBoth(".kode/skills") }; // skills
