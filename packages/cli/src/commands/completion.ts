import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { defineCommand } from "../command.ts";
import { badUsage, didYouMean } from "../flags.ts";

const SHELLS: ReadonlySet<string> = new Set(["bash", "zsh", "fish", "powershell"]);

/** `skills-mcp completion bash|zsh|fish|powershell`: a script for that shell, which the build wrote from the table of commands. */
export const command = defineCommand({
  name: "completion",
  usage: "bash|zsh|fish|powershell",
  summary: "print a shell completion script",
  order: 300,
  bundle: "manage",
  examples: ["completion zsh"],
  flags: {},
  takes: "any",
  async run({ positionals: [shell, ...others], terminal }) {
    if (shell === undefined || !SHELLS.has(shell) || others.length > 0) {
      const got = shell === undefined ? "" : `, not '${[shell, ...others].join(" ")}'`;
      const meant = shell === undefined ? "" : didYouMean(shell, SHELLS);
      throw badUsage(
        "<shell>",
        `completion takes bash, zsh, fish or powershell${got}: eval "$(skills-mcp completion bash)".${meant}`,
      );
    }
    const file = fileURLToPath(new URL(`./completion/${shell}`, import.meta.url));
    terminal.print(await readFile(file, "utf8"));
    return 0;
  },
});
