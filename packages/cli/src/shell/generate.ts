import { VERSION } from "#util";
import { bashScript } from "./bash.ts";
import { describeCommands } from "./describe-commands.ts";
import { fishScript } from "./fish.ts";
import { manualPage } from "./manual.ts";
import { zshScript } from "./zsh.ts";

export { commandWords } from "../command-table.ts";

/** The files that the build writes into dist/, by their path there. Each bundle has only some commands, so none can make them. */
export async function shellFiles(): Promise<Readonly<Record<string, string>>> {
  const commands = await describeCommands();
  return {
    "completion/bash": bashScript(commands),
    "completion/zsh": zshScript(commands),
    "completion/fish": fishScript(commands),
    "man/skills-mcp.1": manualPage(commands, VERSION),
  };
}
