import { defineCommand, printJson } from "../command.ts";
import { badUsage, flag } from "../flags.ts";
import { nothingLeft } from "../nothing-left.ts";
import { withSkillView } from "../open-view.ts";
import { renderEmptyView } from "../render/empty-view.ts";
import { renderAllWords, renderSearch } from "../render/search.ts";
import { FORMAT_FLAG, JSON_FLAG, VIEW_FLAGS } from "../shared-flags.ts";
import { logDiagnostics } from "../terminal-log.ts";

const DEFAULT_LIMIT = 10;

/** `skills-mcp search <query>`: the skills that match, best first. */
export const command = defineCommand({
  name: "search",
  usage: "<query>",
  summary: "find skills for a task",
  order: 70,
  bundle: "commands",
  examples: ["search merge two pdf files", "search merge two pdf files --why"],
  flags: {
    ...JSON_FLAG,
    ...FORMAT_FLAG,
    limit: flag.number("<n>", [1, 1000], `maximum number of results (default ${DEFAULT_LIMIT})`),
    why: flag.switch("show the words and the passage that matched, too"),
    "all-words": flag.switch("only skills that contain every word, in their name, description or text"),
    content: flag.switch("search the text of skills too (always on)"),
    ...VIEW_FLAGS,
  },
  takes: "any",
  run({ given, positionals, terminal, log }) {
    const query = positionals.join(" ").trim();
    if (query === "") throw badUsage("<query>", "search needs a query: skills-mcp search <query>.");
    const { limit = DEFAULT_LIMIT, why } = given;
    const isJson = given.json || given.format === "json";
    return withSkillView(given, log, async (services, snapshot) => {
      const isEmpty = snapshot.catalog.entries.length + snapshot.library.skills.size === 0;
      const print = async (found: object, text: string): Promise<void> => {
        if (isJson) printJson(terminal, found);
        // Without any skills, the hint to try another query would not help.
        else if (isEmpty) terminal.print(renderEmptyView(given, terminal.width, await nothingLeft(services)));
        else terminal.print(text);
      };
      if (given["all-words"]) {
        const found = await services.catalog.searchAllWords({ query, limit });
        await print(found, renderAllWords(found, terminal));
        logDiagnostics(snapshot.diagnostics, log, { isWhole: isJson, terminal });
      } else {
        const found = await services.search.search(query, limit);
        await print(found, renderSearch(found, terminal, { why }));
        const problems = [...snapshot.diagnostics, ...(await services.search.searchDiagnostics())];
        logDiagnostics(problems, log, { isWhole: isJson, terminal });
      }
      return 0;
    });
  },
});
