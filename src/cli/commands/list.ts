import type { Entry } from "../../catalog/catalog.ts";
import type { Log } from "../../system/log.ts";
import { defineCommand, printJson, type Terminal } from "../command.ts";
import { flag } from "../flags.ts";
import { withSkillView } from "../open-view.ts";
import { renderEmptyView } from "../render/empty-view.ts";
import { librarySkillJson, skillJson } from "../render/skill-json.ts";
import { renderSkillTable } from "../render/skill-table.ts";
import { count, printable } from "../render/text.ts";
import { JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";
import { logDiagnostics } from "../terminal-log.ts";
import type { installPlaces } from "./manage/install-flags.ts";

/** `skills-mcp list`: every skill an agent is served, under the name that loads it. */
export const command = defineCommand({
  name: "list",
  flags: {
    ...JSON_FLAG,
    format: flag.choice(
      ["plain", "json", "names"],
      "a table, the same as --json, or names alone (short: -f; default plain)",
      "f",
    ),
    disabled: flag.switch("list disabled skills instead"),
    origin: flag.switch("show where each skill is from: its source and commit, or local"),
    ...VIEW_FLAGS,
  },
  takes: "none",
  run: ({ given, terminal, log }) =>
    withSkillView(given, log, async (app, { catalog, disabled, library, diagnostics }) => {
      const { entries } = given.disabled ? disabled : catalog;
      const disabledFor = given.disabled ? () => [] : app.disabledFor();
      const origins = given.origin ? await originsOf(entries, given, log) : undefined;
      const skills = [
        ...entries.map((entry) => {
          const origin = origins?.get(entry.skill.realDir);
          return {
            ...skillJson(entry, disabledFor(entry.skill)),
            ...(origin === undefined ? {} : { origin }),
          };
        }),
        ...(given.disabled ? [] : [...library.skills.values()].map(librarySkillJson)),
      ];
      if (given.json || given.format === "json") printJson(terminal, { skills, diagnostics });
      else if (given.format === "names")
        terminal.print(skills.map(({ name }) => `${printable(name)}\n`).join(""));
      else if (skills.length > 0) printSkills(skills, terminal);
      else terminal.print(given.disabled ? "No disabled skills.\n" : renderEmptyView(given, terminal.width));
      logDiagnostics(diagnostics, log);
      return 0;
    }),
});

/** Loaded on demand: a plain list needs none of it. */
async function originsOf(
  entries: readonly Entry[],
  given: Parameters<typeof installPlaces>[0],
  log: Log,
): Promise<ReadonlyMap<string, string>> {
  const { skillOrigins } = await import("../../app/install/skill-origins.ts");
  const install = await import("./manage/install-flags.ts");
  return skillOrigins(
    entries.map(({ skill }) => skill),
    install.installPlaces(given, log),
  );
}

function printSkills(
  skills: readonly (ReturnType<typeof skillJson> | ReturnType<typeof librarySkillJson>)[],
  { print, width, style }: Terminal,
): void {
  const shadowed = skills.reduce((sum, skill) => sum + skill.shadowed.length, 0);
  const hint = shadowed === 0 ? "" : `, ${shadowed} shadowed (skills-mcp info <name> shows where)`;
  print(
    `${renderSkillTable(skills, width, style)}\n\n${style.dim(`${count(skills.length, "skill")}${hint}`)}\n`,
  );
}
