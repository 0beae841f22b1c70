import type { Command } from "../command.ts";
import { type Flags, parseFlags, refusePositionals } from "../flags.ts";
import { sayDiagnostics, withSkillView } from "../open-view.ts";
import { renderEmptyView } from "../render/empty-view.ts";
import { librarySkillJson, skillJson } from "../render/skill-json.ts";
import { renderSkillTable } from "../render/skill-table.ts";
import { JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";

export const flags = {
  ...JSON_FLAG,
  disabled: { kind: "switch", help: "list the skills that are turned off instead" },
  ...VIEW_FLAGS,
} as const satisfies Flags;

/** `skills-mcp list`: every skill an agent is served, under the name that loads it. */
export const command: Command = {
  async run(args, terminal) {
    const { flags: given, positionals } = parseFlags(args, flags);
    refusePositionals("list", positionals);
    return withSkillView(given, terminal, async (_app, snapshot) => {
      const { entries } = given.disabled ? snapshot.disabled : snapshot.catalog;
      const library = given.disabled ? [] : [...snapshot.library.skills.values()];
      const skills = [...entries.map(skillJson), ...library.map(librarySkillJson)];
      if (given.json) {
        terminal.print(`${JSON.stringify({ skills, diagnostics: snapshot.diagnostics }, null, 2)}\n`);
      } else if (skills.length === 0) {
        terminal.print(given.disabled ? "No skill is disabled.\n" : renderEmptyView(given));
      } else {
        terminal.print(`${renderSkillTable(skills, terminal.width, terminal.style)}\n`);
        terminal.print(`\n${summary(skills, terminal.style.dim)}\n`);
      }
      sayDiagnostics(snapshot, terminal);
      return 0;
    });
  },
};

function summary(
  skills: readonly { readonly shadowed: readonly unknown[] }[],
  dim: (text: string) => string,
) {
  const count = skills.length;
  const shadowed = skills.reduce((sum, skill) => sum + skill.shadowed.length, 0);
  const hidden = shadowed === 0 ? "" : `, ${shadowed} shadowed (skills-mcp info <name> shows where)`;
  return dim(`${count} skill${count === 1 ? "" : "s"}${hidden}`);
}
