import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Limit } from "#agents";
import type { Catalog } from "#skills";
import { modelEntries } from "#skills";
import type { Refusal } from "#util/pure";
import { cutText, oneLine } from "#util/pure";
import { underscored } from "../definitions/tool-sets.ts";
import { sizeOf } from "../describe/page-text.ts";

/** An error message lists at most this many skills with their descriptions. */
const MOST_DESCRIBED = 50;
const LONGEST_DESCRIPTION = 160;
/** How long the list may be for clients of which no shorter limit is known. */
const LIST_LIMIT: Limit = { count: 20_000, unit: "characters" };
/** What a client's limit leaves for the sentences around the list. */
const AROUND_LIST = 1_000;

/** What a refusal's text depends on, besides the refusal. */
interface RefusedClient {
  readonly catalog: Catalog;
  /** The tools in the client's `tools/list`. */
  readonly tools: readonly string[];
  /** How much of an answer the client shows; undefined if it is not known to cut any. */
  readonly answerLimit?: Limit | undefined;
}

/** A refusal as an answer that the model can act on. */
export function refusalResult(refusal: Refusal, client: RefusedClient): CallToolResult {
  return { isError: true, content: [{ type: "text", text: refusalText(refusal, client) }] };
}

function refusalText({ detail, message }: Refusal, client: RefusedClient): string {
  if (detail.code !== "unknown-skill") return message;
  const meant = detail.suggestions.length === 0 ? [] : [`Did you mean: ${detail.suggestions.join(", ")}?`];
  return [
    message,
    ...meant,
    `Available skills:\n${availableSkills(client)}`,
    "Use the exact skill name (case-insensitive) to load a skill.",
  ].join("\n\n");
}

/** The first skills with descriptions, then a tool that finds the others, or without one their names. */
function availableSkills({ catalog, tools, answerLimit }: RefusedClient): string {
  const entries = modelEntries(catalog);
  if (entries.length === 0) return "- none";
  const described = entries
    .slice(0, MOST_DESCRIBED)
    .map(
      ({ listedAs, skill }) => `- ${listedAs}: ${oneLine(cutText(skill.description, LONGEST_DESCRIPTION))}`,
    );
  const search = wayToSearch(tools);
  const names = search === undefined ? entries.map(({ listedAs }) => `- ${listedAs}`) : described;
  const whole = [...described, ...names.slice(described.length)];
  const limit = listLimit(answerLimit);
  const shown = fitsIn(whole, limit) === whole.length ? whole : names.slice(0, fitsIn(names, limit));
  const more = entries.length - shown.length;
  const way = search ?? "a similar name is answered with suggestions";
  return [...shown, ...(more > 0 ? [`- … and ${more} more; ${way}`] : [])].join("\n");
}

function listLimit({ count, unit }: Limit = LIST_LIMIT): Limit {
  return { count: Math.min(count - AROUND_LIST, LIST_LIMIT.count), unit };
}

/** How many of the first lines fit. */
function fitsIn(lines: readonly string[], { count, unit }: Limit): number {
  let left = count;
  const over = lines.findIndex((line) => {
    left -= sizeOf(`${line}\n`, unit);
    return left < 0;
  });
  return over === -1 ? lines.length : over;
}

function wayToSearch(tools: readonly string[]): string | undefined {
  if (tools.includes("find_skills")) return "use find_skills to find the one for a task";
  const search = tools.find((name) => underscored(name) === "skills_search");
  return search === undefined ? undefined : `use ${search} to find them by words`;
}
