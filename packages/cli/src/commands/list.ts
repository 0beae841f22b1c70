import { readingTraits, requireAgent, surroundingsOf } from "#agents";
import { type Entry, nativeSkills, type Snapshot } from "#skills";
import type { Log } from "#util";
import { agentFlag, agentsNamed } from "../agent-flag.ts";
import { defineCommand, printJson, type Terminal } from "../command.ts";
import { type FlagValues, flag } from "../flags.ts";
import type { installPlaces } from "../install/install-flags.ts";
import { nothingLeft } from "../nothing-left.ts";
import { withSkillView } from "../open-view.ts";
import { renderEmptyView } from "../render/empty-view.ts";
import { librarySkillJson, skillJson } from "../render/skill-json.ts";
import { renderSkillTable, renderSkillTree } from "../render/skill-table.ts";
import { count, printable } from "../render/text.ts";
import { homeFor, JSON_FLAG, userFolder, VIEW_FLAGS } from "../shared-flags.ts";
import { isOfFile, logDiagnostics } from "../terminal-log.ts";

/** `skills-mcp list`: every skill an agent is served, under the name that loads it. */
export const command = defineCommand({
  name: "list",
  aliases: ["ls"],
  summary: "list all skills",
  order: 50,
  bundle: "commands",
  examples: ["list --tree", "list --include claude"],
  flags: {
    ...JSON_FLAG,
    format: flag.choice(
      ["plain", "json", "names"],
      "a table, the same as --json, or names alone (default plain)",
      { short: "f" },
    ),
    tree: flag.switch("group the skills by provider and place"),
    disabled: flag.switch("list disabled skills instead"),
    origin: flag.switch("show where each skill is from: its source and commit, or local"),
    ...agentFlag("only skills that these agents read from disk"),
    global: flag.switch("only the user's skills, not the project's", "g"),
    project: flag.switch("only the project's skills", "p"),
    ...VIEW_FLAGS,
  },
  takes: "none",
  run: ({ given, terminal, log }) =>
    withSkillView(given, log, async (services, snapshot) => {
      const { catalog, disabled, library, diagnostics, reviewed } = snapshot;
      const disabledFor = services.toggles.disabledFor();
      const all = given.disabled
        ? [...disabled.entries, ...catalog.entries.filter(({ skill }) => disabledFor(skill).length > 0)]
        : catalog.entries;
      const isSelected = await selection(given, snapshot);
      const entries = isSelected === undefined ? all : all.filter(isSelected);
      const origins = given.origin ? await originsOf(entries, given, log) : undefined;
      const skills = [
        ...entries.map((entry) => {
          const origin = origins?.get(entry.skill.realDir);
          return {
            ...skillJson(entry, disabled.entries.includes(entry) ? [] : disabledFor(entry.skill)),
            ...(origin === undefined ? {} : { origin }),
          };
        }),
        ...(given.disabled || isSelected !== undefined
          ? []
          : [...library.skills.values()].map(librarySkillJson)),
      ];
      const isJson = given.json || given.format === "json";
      if (isJson) printJson(terminal, { skills, diagnostics: diagnostics.filter(isOfFile) });
      else if (given.format === "names")
        terminal.print(skills.map(({ name }) => `${printable(name)}\n`).join(""));
      else if (skills.length > 0 && given.tree)
        terminal.print(
          `${renderSkillTree(skills, { ...terminal, home: homeFor(given["user-dir"]), cwd: process.cwd() })}\n`,
        );
      else if (skills.length > 0) printSkills(skills, terminal);
      else if (all.length > 0)
        terminal.print(`Of ${count(all.length, "skill")}, --agent, --global and --project select none.\n`);
      else if (given.disabled) terminal.print("No disabled skills.\n");
      // Every skill waits for approval; the warning below says what to do.
      else if (reviewed !== undefined && reviewed.length > 0) terminal.print("No skills are served.\n");
      else terminal.print(renderEmptyView(given, terminal.width, await nothingLeft(services)));
      logDiagnostics(diagnostics, log, { isWhole: isJson, terminal });
      // Skills that the list lacks because they are not approved.
      const notice = reviewed && (await (await services.review()).waitingNotice());
      if (notice !== undefined) log.warn(notice);
      return 0;
    }),
});

/** What `--global`, `--project` and `--agent` select; undefined without them. */
async function selection(
  given: FlagValues<ReturnType<typeof agentFlag>> & {
    readonly global: boolean;
    readonly project: boolean;
    readonly "user-dir": string | undefined;
  },
  snapshot: Pick<Snapshot, "roots">,
): Promise<((entry: Entry) => boolean) | undefined> {
  const userDir = given["user-dir"] === undefined ? undefined : userFolder(given["user-dir"]);
  const agents = given.agent.length === 0 ? [] : await agentsNamed(given.agent, surroundingsOf(userDir));
  const isRead = agents.map((agent) =>
    nativeSkills(snapshot, readingTraits(requireAgent(agent)), ["project", "user", "plugin"]),
  );
  const locations = [...(given.global ? ["user"] : []), ...(given.project ? ["project"] : [])];
  if (isRead.length + locations.length === 0) return undefined;
  return (entry) =>
    (locations.length === 0 || locations.includes(entry.skill.location)) &&
    (isRead.length === 0 || isRead.some((reads) => reads(entry)));
}

/** Where skills were installed from, by folder. Its code is loaded on demand: a plain list needs none of it. */
async function originsOf(
  entries: readonly Entry[],
  given: Parameters<typeof installPlaces>[0],
  log: Log,
): Promise<ReadonlyMap<string, string>> {
  const { skillOrigins } = await import("#install");
  const install = await import("../install/install-flags.ts");
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
    `${renderSkillTable(skills, { width, style })}\n\n${style.dim(`${count(skills.length, "skill")}${hint}`)}\n`,
  );
}
