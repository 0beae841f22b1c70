import type { App } from "../../app/create-app.ts";
import type { Command, Terminal } from "../command.ts";
import { badUsage, type Flags, parseFlags } from "../flags.ts";
import { sayDiagnostics, withSkillView } from "../open-view.ts";
import { renderEmptyView } from "../render/empty-view.ts";
import { renderAllWords, renderSearch } from "../render/search.ts";
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
  "all-words": {
    kind: "switch",
    help: "only skills that hold every word, in their name, description or text",
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
    const limit = given.limit ?? DEFAULT_LIMIT;
    return withSkillView(given, terminal, async (app, snapshot) => {
      const [found, rendered] = given["all-words"]
        ? await searchAllWords(app, { query, limit }, terminal)
        : await searchByTask(app, { query, limit }, terminal);
      // Other words cannot help where there is nothing to be found.
      const isEmpty = snapshot.catalog.entries.length + snapshot.library.skills.size === 0;
      const text = isEmpty ? renderEmptyView(given) : rendered;
      terminal.print(given.json ? `${JSON.stringify(found, null, 2)}\n` : text);
      sayDiagnostics(snapshot, terminal);
      // Words that must all be there are looked for as they are, without synonyms.
      if (!given["all-words"]) sayDiagnostics({ diagnostics: await app.searchDiagnostics() }, terminal);
      return 0;
    });
  },
};

interface Wanted {
  readonly query: string;
  readonly limit: number;
}

async function searchByTask(app: App, { query, limit }: Wanted, { width, style }: Terminal) {
  const found = await app.search(query, limit);
  return [found, renderSearch(found, width, style)] as const;
}

async function searchAllWords(app: App, wanted: Wanted, { width, style }: Terminal) {
  const found = await app.searchAllWords(wanted);
  return [found, renderAllWords(found, width, style)] as const;
}
