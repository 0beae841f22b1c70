import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "tinycloud", title: "Tinycloud", folders: inBoth(".tinycloud/skills") }; // skills
