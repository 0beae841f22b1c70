import { VERSION } from "#util";
import { defineCommand } from "../command.ts";

/** `skills-mcp version`; `--version` is answered by the start script. */
export const command = defineCommand({
  name: "version",
  summary: "print the version",
  order: 310,
  bundle: "commands",
  examples: ["version"],
  flags: {},
  takes: "none",
  async run({ terminal }) {
    terminal.print(`${VERSION}\n`);
    return 0;
  },
});
