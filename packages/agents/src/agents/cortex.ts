import { folderAgent } from "../agent.ts";

export const agent = folderAgent("cortex", "Cortex Code", [".cortex/skills"], [".snowflake/cortex/skills"]); // skills
