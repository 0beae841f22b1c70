import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "zcode", title: "ZCode", folders: inBoth(".zcode/skills") }; // skills
