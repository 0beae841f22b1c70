import type { AnyInfo } from "../../app/skills/skill-info.ts";
import { defineCommand, printJson } from "../command.ts";
import { withSkillView } from "../open-view.ts";
import { infoJson, libraryInfoJson, renderInfo, renderLibraryInfo } from "../render/info.ts";
import { JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";

/** `skills-mcp info <name>`: one skill, its files, and what it shadows. */
export const command = defineCommand({
  name: "info",
  flags: { ...JSON_FLAG, ...VIEW_FLAGS },
  takes: "one",
  run: ({ given, positionals: [name = ""], terminal, log }) =>
    withSkillView(given, log, async (app) => {
      const { width, style } = terminal;
      const info = await app.info(name);
      if (info.kind === "library") {
        if (given.json) printJson(terminal, libraryInfoJson(info));
        else terminal.print(renderLibraryInfo(info, width, style));
      } else {
        const reason = await notPublished(info);
        if (given.json) printJson(terminal, infoJson(info, reason));
        else terminal.print(renderInfo(info, width, style, reason));
      }
      return 0;
    }),
});

/** Why the Skills extension does not list a skill that is served. */
async function notPublished(info: AnyInfo & { readonly kind: "skill" }): Promise<string | undefined> {
  if (!info.enabled) return undefined;
  // Loaded on demand: it brings the SDK's strict reader along.
  const { publishProblem } = await import("../../mcp/skills-extension/publication.ts");
  return (await publishProblem(info.entry.skill))?.message;
}
