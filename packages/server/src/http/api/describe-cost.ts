import { traitsOf } from "#agents";
import type { Catalog, Entry } from "#skills";
import { modelEntries } from "#skills";
import { oneLine } from "#util/pure";
import { estimateTokens } from "../../mcp/describe/estimate-tokens.ts";
import { listFormat, xmlFormat } from "../../mcp/describe/formats.ts";
import { byLikelyUse } from "../../mcp/describe/list-order.ts";
import { NO_TOPICS } from "../../mcp/describe/project-topics.ts";
import { type Catalogue, writeCatalogue } from "../../mcp/describe/write-catalogue.ts";
import type { DescriptionAnswer, SkillCost } from "../../wire/skills.ts";

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
  const traits = traitsOf({ name: client });
  const usualBudget = traits.budgets.description;
  const budget = wanted.budget ?? usualBudget;
  const options = { ...traits, format: writer, finder: true, guidance: "" };
  const sorted = byLikelyUse(entries, { recent: new Set(), project: NO_TOPICS }).entries;
  const catalogue = writeCatalogue(sorted, {
    ...options,
    budgets: { ...traits.budgets, description: budget },
  });
  const { description: text, instructions, complete } = catalogue;
  const unlimited = { description: Number.POSITIVE_INFINITY, instructions: 0 };
  const full = writeCatalogue(entries, {
    ...options,
    listIn: ["description"],
    budgets: unlimited,
  }).description;
  const costs = sorted.map((entry, index): SkillCost => {
    const whole = writer.entry(entry);
    return {
      name: entry.listedAs,
      characters: whole.length,
      tokens: estimateTokens(whole),
      shown: complete && text.includes(whole) ? whole.length : shownLength(entry, index, catalogue),
    };
  });
  return {
    client,
    format,
    budget,
    usualBudget,
    text,
    instructions,
    characters: text.length,
    tokens: estimateTokens(text),
    fullCharacters: full.length,
    fullTokens: estimateTokens(full),
    complete,
    skills: entries.length,
    shown: catalogue.shown,
    costs: costs.sort((a, b) => b.characters - a.characters).slice(0, MOST_COSTS),
  };
}

/** The characters of a skill's line, or of its name. */
function shownLength(
  { listedAs }: Entry,
  index: number,
  { description, instructions, shown }: Catalogue,
): number {
  if (index >= shown) return 0;
  const start = `\n- ${oneLine(listedAs)}: `;
  for (const text of [description, instructions]) {
    const from = text.indexOf(start);
    if (from >= 0) return text.indexOf("\n", from + 1) - from - 1;
  }
  return listedAs.length;
}
