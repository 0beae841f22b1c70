import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = {
  id: "codearts",
  title: "CodeArts Agent",
  folders: inBoth(".codeartsdoer/skills"), // skills
};
