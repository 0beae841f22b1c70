import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "openhands", title: "OpenHands", folders: inBoth(".openhands/skills") }; // skills
