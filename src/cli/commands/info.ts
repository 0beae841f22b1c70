import type { AnyInfo } from "../../app/any-info.ts";
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
      terminal.print(given.json ? `${JSON.stringify(jsonOf(info), null, 2)}\n` : rendered(info, terminal));
      return 0;
    });
  },
};

function jsonOf(info: AnyInfo) {
  return info.kind === "library" ? libraryInfoJson(info) : infoJson(info);
}

function rendered(info: AnyInfo, { width, style }: Terminal): string {
  return info.kind === "library" ? renderLibraryInfo(info, width, style) : renderInfo(info, width, style);
}
