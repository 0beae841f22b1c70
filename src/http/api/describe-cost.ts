import type { Catalog } from "../../catalog/catalog.ts";
import { fitDescription } from "../../catalog/describe/fit-description.ts";
import { type DescriptionFormat, listFormat, xmlFormat } from "../../catalog/describe/formats.ts";
import { modelEntries } from "../../catalog/model-entries.ts";
import { profileOf } from "../../mcp/clients/profiles.ts";
import type { DescriptionAnswer, SkillCost } from "./wire.ts";

export interface DescribeWanted {
  readonly client: string;
  readonly format: "xml" | "list";
  /** Undefined: the default of this client. */
  readonly budget: number | undefined;
}

const MOST_COSTS = 100;

/** The description that a client receives, and what each skill in it costs. */
export function describeCost(catalog: Catalog, wanted: DescribeWanted): DescriptionAnswer {
  const entries = modelEntries(catalog);
  const { client, format } = wanted;
  const writer = format === "xml" ? xmlFormat : listFormat;
  const usualBudget = profileOf({ name: client }).budgets.description;
  const budget = wanted.budget ?? usualBudget;
  const { text, complete } = fitDescription(entries, { format: writer, budget, finder: true });
  const full = fitDescription(entries, {
    format: writer,
    budget: Number.POSITIVE_INFINITY,
    finder: true,
  }).text;
  const shown = shownParts(text, writer, format);
  const costs = entries.map((entry, index): SkillCost => {
    const whole = writer.entry(entry, entry.skill.description);
    const { length: characters } = whole;
    return {
      name: entry.listedAs,
      characters,
      tokens: estimateTokens(whole),
      shown: shown[index]?.length ?? 0,
    };
  });
  return {
    client,
    format,
    budget,
    usualBudget,
    text,
    characters: text.length,
    tokens: estimateTokens(text),
    fullCharacters: full.length,
    fullTokens: estimateTokens(full),
    complete,
    skills: entries.length,
    shown: Math.min(shown.length, entries.length),
    costs: costs.sort((a, b) => b.characters - a.characters).slice(0, MOST_COSTS),
  };
}

/** The entry of each listed skill, in the order of the catalog. */
function shownParts(text: string, writer: DescriptionFormat, format: "xml" | "list"): readonly string[] {
  // Values are escaped, or on one line, so that no description can begin another part.
  const [start, end] = format === "xml" ? ["<skill>", "</skill>\n"] : ["- ", "\n"];
  const opening = format === "xml" ? "<available_skills>\n" : "Available skills:\n";
  const parts: string[] = [];
  let from = text.indexOf(opening);
  if (from < 0 || text.includes(writer.none)) return parts;
  from += opening.length;
  while (text.startsWith(start, from) && !text.startsWith("- … and ", from)) {
    const to = text.indexOf(end, from);
    if (to < 0) break;
    parts.push(text.slice(from, to + end.length));
    from = to + end.length;
  }
  return parts;
}

/**
 * Roughly what a model counts: four characters of plain text make a token, other writing takes about one and a half
 * characters each. Models differ by a fifth either way.
 */
export function estimateTokens(text: string): number {
  let other = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) other++;
  return Math.ceil((text.length - other) / 4 + other / 1.5);
}
