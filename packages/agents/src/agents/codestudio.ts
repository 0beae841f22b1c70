import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "codestudio", title: "Code Studio", folders: inBoth(".codestudio/skills") }; // skills
