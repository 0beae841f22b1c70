import type { ToggleResult } from "../../app/skills/toggle-skill.ts";
import { defineCommand, printJson } from "../command.ts";
import { withSkillView } from "../open-view.ts";
import { printable } from "../render/text.ts";
import { JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";

type Verb = "enable" | "disable";

export const enable = toggleCommand("enable");
export const disable = toggleCommand("disable");

function toggleCommand(verb: Verb) {
  return defineCommand({
    name: verb,
    flags: { ...JSON_FLAG, ...VIEW_FLAGS },
    takes: "some",
    async run({ given, positionals: names, terminal, log }) {
      const results = await withSkillView(given, log, (app) => app.toggleAll(names, `${verb}d`));
      const [first] = results;
      if (given.json) printJson(terminal, results.length === 1 ? first : { skills: results });
      else
        for (const [index, result] of results.entries())
          terminal.print(
            `${linesFor(verb, names[index] ?? "", result)
              .map(printable)
              .join("\n")}\n`,
          );
      return 0;
    },
  });
}

function linesFor(verb: Verb, name: string, result: ToggleResult): readonly string[] {
  const { changed, file, others = [] } = result;
  const done = changed
    ? `${verb === "enable" ? "Enabled" : "Disabled"} ${result.name}: the file is now ${file}.`
    : `${result.name} is already ${verb}d (${file}).`;
  const [first, second] = others;
  // That another one could be enabled as well matters only if none was.
  if (first === undefined || (verb === "enable" && changed)) return [done];
  if (second !== undefined) {
    const all = others.map((other) => `${other.name} (${other.path})`).join(", ");
    return [done, `Other skills of this name are not ${verb}d: ${all}. Use the full name to ${verb} one.`];
  }
  const way = `To ${verb} it: skills-mcp ${verb} ${first.name}`;
  return verb === "disable"
    ? [done, `The name '${name}' still loads ${first.name} from ${first.path}. ${way}`]
    : [done, `${first.name} in ${first.path} is still disabled. ${way}`];
}
