import type { Command } from "../command.ts";
import { type Flags, parseFlags, refusePositionals } from "../flags.ts";
import { sayDiagnostics, withSkillView } from "../open-view.ts";
import { renderEmptyView } from "../render/empty-view.ts";
import { skillJson } from "../render/skill-json.ts";
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
      if (given.json) {
        const skills = entries.map(skillJson);
        terminal.print(`${JSON.stringify({ skills, diagnostics: snapshot.diagnostics }, null, 2)}\n`);
      } else if (entries.length === 0) {
        terminal.print(given.disabled ? "No skill is disabled.\n" : renderEmptyView(given));
      } else {
        terminal.print(`${renderSkillTable(entries, terminal.width, terminal.style)}\n`);
        terminal.print(`\n${summary(entries.length, entries, terminal.style.dim)}\n`);
      }
      sayDiagnostics(snapshot, terminal);
      return 0;
    });
  },
};

function summary(
  count: number,
  entries: readonly { readonly shadowed: readonly unknown[] }[],
  dim: (text: string) => string,
) {
  const shadowed = entries.reduce((sum, entry) => sum + entry.shadowed.length, 0);
  const hidden = shadowed === 0 ? "" : `, ${shadowed} shadowed (skills-mcp info <name> shows where)`;
  return dim(`${count} skill${count === 1 ? "" : "s"}${hidden}`);
}
