import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "codemaker", title: "Codemaker", folders: inBoth(".codemaker/skills") }; // skills
