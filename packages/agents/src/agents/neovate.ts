import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "neovate", title: "Neovate", folders: inBoth(".neovate/skills") }; // skills
