import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "bob", title: "IBM Bob", folders: inBoth(".bob/skills") }; // skills
