import type { Command } from "../command.ts";
import { badUsage, type Flags, parseFlags } from "../flags.ts";
import { sayDiagnostics, withSkillView } from "../open-view.ts";
import { renderSearch } from "../render/search.ts";
import { JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";

const DEFAULT_LIMIT = 10;

export const flags = {
  ...JSON_FLAG,
  limit: {
    kind: "number",
    value: "<n>",
    min: 1,
    max: 1000,
    help: `how many to show (default ${DEFAULT_LIMIT})`,
  },
  ...VIEW_FLAGS,
} as const satisfies Flags;

/** `skills-mcp search <query>`: the skills that fit, best first. */
export const command: Command = {
  async run(args, terminal) {
    const { flags: given, positionals } = parseFlags(args, flags);
    const query = positionals.join(" ").trim();
    if (query === "")
      throw badUsage("<query>", "search needs something to look for: skills-mcp search <query>.");
    return withSkillView(given, terminal, async (app, snapshot) => {
      const found = await app.search(query, given.limit ?? DEFAULT_LIMIT);
      terminal.print(
        given.json
          ? `${JSON.stringify(found, null, 2)}\n`
          : renderSearch(found, terminal.width, terminal.style),
      );
      sayDiagnostics(snapshot, terminal);
      return 0;
    });
  },
};
