import { defineCommand } from "../command.ts";
import { toggle, toggleFlags } from "../toggle.ts";

/** `skills-mcp disable <name>…`: agents no longer see the named skills. */
export const command = defineCommand({
  name: "disable",
  usage: "<name>…",
  summary: "disable skills, so that agents no longer see them",
  order: 290,
  bundle: "commands",
  examples: ["disable pdf", "disable pdf --agent codex"],
  flags: toggleFlags("disable"),
  takes: "some",
  run: (invocation) => toggle("disable", invocation),
});
