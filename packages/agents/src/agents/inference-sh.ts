import { type Agent, inBoth } from "../agent.ts";

export const agent: Agent = {
  id: "inference-sh",
  title: "inference.sh",
  folders: inBoth(".inferencesh/skills"), // skills
};
