import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "forge", title: "ForgeCode", folders: inBoth(".forge/skills") }; // skills
