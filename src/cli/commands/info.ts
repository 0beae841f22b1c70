import type { AnyInfo } from "../../app/skills/skill-info.ts";
import type { Command, Terminal } from "../command.ts";
import { badUsage, type Flags, parseFlags } from "../flags.ts";
import { withSkillView } from "../open-view.ts";
import { infoJson, renderInfo } from "../render/info.ts";
import { libraryInfoJson, renderLibraryInfo } from "../render/library-info.ts";
import { JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";

export const flags = { ...JSON_FLAG, ...VIEW_FLAGS } as const satisfies Flags;

/** `skills-mcp info <name>`: one skill, what comes with it, and what it hides. */
export const command: Command = {
  async run(args, terminal) {
    const { flags: given, positionals } = parseFlags(args, flags);
    const [name, extra] = positionals;
    if (name === undefined || extra !== undefined)
      throw badUsage("<name>", "info takes one skill name: skills-mcp info <name>.");
    return withSkillView(given, terminal, async (app) => {
      const info = await app.info(name);
      const reason = await notPublished(info);
      terminal.print(
        given.json ? `${JSON.stringify(jsonOf(info, reason), null, 2)}\n` : rendered(info, reason, terminal),
      );
      return 0;
    });
  },
};

/** Why the Skills extension does not list a skill that is served. */
async function notPublished(info: AnyInfo): Promise<string | undefined> {
  if (info.kind === "library" || !info.enabled) return undefined;
  // Loaded on demand: it brings the SDK's strict reader along.
  const { publishProblem } = await import("../../mcp/skills-extension/publication.ts");
  return (await publishProblem(info.entry.skill))?.message;
}

function jsonOf(info: AnyInfo, reason: string | undefined) {
  return info.kind === "library" ? libraryInfoJson(info) : infoJson(info, reason);
}

function rendered(info: AnyInfo, reason: string | undefined, { width, style }: Terminal): string {
  return info.kind === "library"
    ? renderLibraryInfo(info, width, style)
    : renderInfo(info, width, style, reason);
}
