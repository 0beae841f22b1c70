import path from "node:path";
import { shownFindings } from "#check";
import { type AnyInfo, whySeen } from "#server";
import { readSkill, type Skill, type Snapshot } from "#skills";
import type { Log } from "#util";
import { Refusal } from "#util/pure";
import { clientLists, clientsHere } from "../client-lists.ts";
import { defineCommand, printJson } from "../command.ts";
import { type FlagValues, flag } from "../flags.ts";
import type { installPlaces } from "../install/install-flags.ts";
import { withSkillView } from "../open-view.ts";
import { renderRisks } from "../render/audit/report.ts";
import { infoJson, libraryInfoJson, renderInfo, renderLibraryInfo, renderText } from "../render/info.ts";
import { CLIENT_FLAGS } from "../server-flags.ts";
import { JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";

/** `skills-mcp info <name>`: one skill, its files, and what it shadows. */
export const command = defineCommand({
  name: "info",
  aliases: ["show"],
  usage: "<name>",
  summary: "show a skill and its files",
  order: 60,
  bundle: "server",
  examples: ["info pdf", "info pdf --full"],
  flags: {
    full: flag.switch("show the whole text of the skill, too"),
    ...JSON_FLAG,
    ...CLIENT_FLAGS,
    ...VIEW_FLAGS,
  },
  takes: "one",
  run: ({ given, positionals: [name = ""], terminal, log }) =>
    withSkillView(given, log, async (services, snapshot) => {
      const { width, style } = terminal;
      const info = await services.skills.info(name);
      const [audited] = await services.checks.audit([name]);
      const findings = shownFindings(audited?.findings ?? []);
      const text = given.full ? await textOf(info, services.library) : undefined;
      const content = text === undefined ? {} : { content: text };
      const print = (json: object, shown: string): void => {
        if (given.json) return printJson(terminal, { ...json, audit: findings, ...content });
        const all = shown + renderRisks(findings, style);
        terminal.print(text === undefined ? all : `${all}\n${renderText(text)}`);
      };
      if (info.kind === "library") {
        const seenBy = await seenByAgents(snapshot, info.skill.file, given);
        print(libraryInfoJson(info, seenBy), renderLibraryInfo(info, { width, style }, seenBy));
      } else {
        const reason = await notPublished(info);
        const disabledFor = services.toggles.disabledFor()(info.entry.skill);
        const { skill } = info.entry;
        const known = {
          ...{ reason, disabledFor, origin: await originOf(skill, given, log) },
          seenBy: await seenByAgents(snapshot, path.join(skill.dir, skill.fileName), given),
        };
        print(infoJson(info, known), renderInfo(info, { width, style }, known));
      }
      return 0;
    }),
});

/** What the agents of this machine have of a skill. */
async function seenByAgents(
  snapshot: Snapshot,
  file: string,
  given: FlagValues<typeof CLIENT_FLAGS & typeof VIEW_FLAGS>,
): Promise<ReturnType<typeof whySeen>> {
  const toldTo = clientLists(given);
  const clients = await clientsHere(given);
  return whySeen(
    snapshot,
    { file },
    clients.map((client) => toldTo(snapshot, client)),
  );
}

/** Where a skill was installed from, as `list --origin` shows it. A repository is shown on lines of its own. */
async function originOf(
  skill: Skill,
  given: Parameters<typeof installPlaces>[0],
  log: Log,
): Promise<string | undefined> {
  if (skill.repo !== undefined) return undefined;
  const { skillOrigins } = await import("#install");
  const install = await import("../install/install-flags.ts");
  return (await skillOrigins([skill], install.installPlaces(given, log))).get(skill.realDir);
}

/** The whole text of a skill, also of one that is disabled. */
async function textOf(
  info: AnyInfo,
  library: { readonly readContent: (path: string) => Promise<string> },
): Promise<string> {
  if (info.kind === "library") return library.readContent(info.skill.path);
  const read = await readSkill(info.entry.skill);
  if (read.ok) return read.text;
  const { skill, listedAs } = info.entry;
  const file = path.join(skill.dir, skill.fileName);
  throw new Refusal(`${file} cannot be read. ${read.failure.message}`, {
    code: "unreadable-skill",
    name: listedAs,
    file,
  });
}

/** Why the Skills extension does not list a skill that is served. */
async function notPublished(info: AnyInfo & { readonly kind: "skill" }): Promise<string | undefined> {
  if (!info.enabled) return undefined;
  // Loaded on demand: this module needs the SDK's strict reader.
  const { publishProblem } = await import("#server");
  return (await publishProblem(info.entry.skill))?.message;
}
