import { folderAgent } from "../agent.ts";

export const agent = folderAgent(
  "antigravity",
  "Antigravity",
  [],
  [".gemini/antigravity/skills", ".gemini/antigravity-cli/skills"],
); // skills
