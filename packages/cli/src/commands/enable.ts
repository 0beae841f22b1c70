import { defineCommand } from "../command.ts";
import { toggle, toggleFlags } from "../toggle.ts";

/** `skills-mcp enable <name>…`: agents see the named skills again. */
export const command = defineCommand({
  name: "enable",
  usage: "<name>…",
  summary: "enable skills",
  order: 280,
  bundle: "commands",
  examples: ["enable pdf"],
  completes: "disabled-skills",
  flags: toggleFlags("enable"),
  takes: "some",
  run: (invocation) => toggle("enable", invocation),
});
