import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "jazz", title: "Jazz", folders: inBoth(".jazz/skills") }; // skills
