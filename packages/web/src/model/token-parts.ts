import type { ModelAnswer } from "#server/wire";

/** One part of what a model reads. */
interface Part {
  readonly label: string;
  readonly tokens: number;
  readonly tone: string;
}

/** The largest parts have colours of their own. */
const TONES = ["a", "b", "c", "d"] as const;

export function partsOf({ tokens, tools }: Pick<ModelAnswer, "tokens" | "tools">): readonly Part[] {
  const parts = [
    { label: "Instructions", tokens: tokens.instructions },
    ...tools.map(({ name, tokens: cost }) => ({ label: name, tokens: cost.description + cost.schema })),
  ].filter((part) => part.tokens > 0);
  const largest = [...parts].sort((a, b) => b.tokens - a.tokens).slice(0, TONES.length);
  return parts.map((part) => ({ ...part, tone: TONES[largest.indexOf(part)] ?? "e" }));
}
