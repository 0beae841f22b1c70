import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "iflow", title: "iFlow CLI", folders: inBoth(".iflow/skills") }; // skills
