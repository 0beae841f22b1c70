import type { ToggleResult } from "../app/skills/toggle-skill.ts";
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
    const others = saidOfOthers(verb, name, result);
    terminal.print(
      flags.json
        ? `${JSON.stringify(result, null, 2)}\n`
        : `${[said, ...others].map(printable).join("\n")}\n`,
    );
    return 0;
  });
}

/** The name may lead to another skill now. That one more could be enabled is only of interest if none was. */
function saidOfOthers(
  verb: "enable" | "disable",
  name: string,
  { changed, others = [] }: ToggleResult,
): readonly string[] {
  const [first, second] = others;
  if (first === undefined || (verb === "enable" && changed)) return [];
  if (second !== undefined) {
    const all = others.map((other) => `${other.name} (${other.path})`).join(", ");
    return [`Not ${verb}d, though of the same name: ${all}. Use one of these full names.`];
  }
  const way = `skills-mcp ${verb} ${first.name}`;
  return verb === "disable"
    ? [
        `The name '${name}' is still served: it loads ${first.name} from ${first.path}. To turn that off too: ${way}`,
      ]
    : [`Still disabled is ${first.name} in ${first.path}. To turn it on: ${way}`];
}
