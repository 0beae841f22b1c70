import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "tabnine", title: "Tabnine CLI", folders: inBoth(".tabnine/agent/skills") }; // skills
