import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "adal", title: "AdaL", folders: inBoth(".adal/skills") }; // skills
