import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = { id: "codebuddy", title: "CodeBuddy", folders: inBoth(".codebuddy/skills") }; // skills
