import path from "node:path";
import { shownFindings } from "#check";
import type { AnyInfo } from "#server";
import { readSkill } from "#skills";
import { Refusal } from "#util/pure";
import { defineCommand, printJson } from "../command.ts";
import { flag } from "../flags.ts";
import { withSkillView } from "../open-view.ts";
import { renderRisks } from "../render/audit/report.ts";
import { infoJson, libraryInfoJson, renderInfo, renderLibraryInfo, renderText } from "../render/info.ts";
import { JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";

/** `skills-mcp info <name>`: one skill, its files, and what it shadows. */
export const command = defineCommand({
  name: "info",
  aliases: ["show"],
  usage: "<name>",
  summary: "show a skill and its files",
  order: 60,
  bundle: "server",
  flags: {
    full: flag.switch("show the whole text of the skill, too"),
    ...JSON_FLAG,
    ...VIEW_FLAGS,
  },
  takes: "one",
  run: ({ given, positionals: [name = ""], terminal, log }) =>
    withSkillView(given, log, async (services) => {
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
        print(libraryInfoJson(info), renderLibraryInfo(info, { width, style }));
      } else {
        const reason = await notPublished(info);
        const seen = { reason, disabledFor: services.toggles.disabledFor()(info.entry.skill) };
        print(infoJson(info, seen), renderInfo(info, { width, style }, seen));
      }
      return 0;
    }),
});

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
