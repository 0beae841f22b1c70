import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "minimax", title: "MiniMax Code", folders: inBoth(".minimax/skills") }; // skills
