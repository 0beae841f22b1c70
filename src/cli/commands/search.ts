import type { App } from "../../app/create-app.ts";
import { defineCommand, printJson, type Terminal } from "../command.ts";
import { badUsage } from "../flags.ts";
import { withSkillView } from "../open-view.ts";
import { renderEmptyView } from "../render/empty-view.ts";
import { renderAllWords, renderSearch } from "../render/search.ts";
import { JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";
import { logDiagnostics } from "../terminal-log.ts";

const DEFAULT_LIMIT = 10;

/** `skills-mcp search <query>`: the skills that match, best first. */
export const command = defineCommand({
  name: "search",
  flags: {
    ...JSON_FLAG,
    limit: {
      kind: "number",
      value: "<n>",
      min: 1,
      max: 1000,
      help: `maximum number of results (default ${DEFAULT_LIMIT})`,
    },
    "all-words": {
      kind: "switch",
      help: "only skills that contain every word, in their name, description or text",
    },
    ...VIEW_FLAGS,
  },
  takes: "any",
  run({ given, positionals, terminal, log }) {
    const query = positionals.join(" ").trim();
    if (query === "") throw badUsage("<query>", "search needs a query: skills-mcp search <query>.");
    const search = given["all-words"] ? searchAllWords : searchByTask;
    return withSkillView(given, log, async (app, snapshot) => {
      const [found, text] = await search(app, { query, limit: given.limit ?? DEFAULT_LIMIT }, terminal);
      // Without any skills, another query cannot help.
      const isEmpty = snapshot.catalog.entries.length + snapshot.library.skills.size === 0;
      if (given.json) printJson(terminal, found);
      else terminal.print(isEmpty ? renderEmptyView(given, terminal.width) : text);
      logDiagnostics(snapshot.diagnostics, log);
      // Synonyms play no part in a search for all words.
      if (!given["all-words"]) logDiagnostics(await app.searchDiagnostics(), log);
      return 0;
    });
  },
});

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
