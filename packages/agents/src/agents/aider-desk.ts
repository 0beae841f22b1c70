import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "aider-desk", title: "AiderDesk", folders: inBoth(".aider-desk/skills") }; // skills
