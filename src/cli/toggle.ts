import type { Terminal } from "./command.ts";
import { badUsage, type Flags, parseFlags } from "./flags.ts";
import { withSkillView } from "./open-view.ts";
import { printable } from "./render/columns.ts";
import { JSON_FLAG, VIEW_FLAGS } from "./shared-flags.ts";

export const toggleFlags = { ...JSON_FLAG, ...VIEW_FLAGS } as const satisfies Flags;

/** `enable` and `disable`: the same command in two directions. */
export async function runToggle(
  verb: "enable" | "disable",
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  const { flags, positionals } = parseFlags(args, toggleFlags);
  const [name, extra] = positionals;
  if (name === undefined || extra !== undefined) {
    throw badUsage("<name>", `${verb} takes one skill name: skills-mcp ${verb} <name>.`);
  }
  return withSkillView(flags, terminal, async (app) => {
    const result = await app.toggle(name, `${verb}d`);
    const said = result.changed
      ? `${verb === "enable" ? "Enabled" : "Disabled"} ${result.name}: its file is now ${result.file}.`
      : `${result.name} is already ${verb}d (${result.file}).`;
    terminal.print(flags.json ? `${JSON.stringify(result, null, 2)}\n` : `${printable(said)}\n`);
    return 0;
  });
}
