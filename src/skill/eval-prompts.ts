/** Where the prompts of an eval file are found: what people call the text that a user would type. */
const PROMPT_KEYS: ReadonlySet<string> = new Set(["prompt", "query", "input", "task", "question", "user"]);

const MOST_PROMPTS = 64;
const DEEPEST = 6;

/**
 * The prompts in a skill's eval file, which its author wrote to check that the skill is chosen. Those that say that
 * it must not be chosen are left out.
 */
export function evalPromptsIn(json: unknown): readonly string[] {
  const prompts: string[] = [];
  collect(json, prompts, 0);
  return prompts;
}

function collect(value: unknown, into: string[], depth: number): void {
  if (depth > DEEPEST || into.length >= MOST_PROMPTS || typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) collect(item, into, depth + 1);
    return;
  }
  if (saysNotToTrigger(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === "string" && PROMPT_KEYS.has(key.toLowerCase())) into.push(inner);
    else collect(inner, into, depth + 1);
  }
}

function saysNotToTrigger(value: object): boolean {
  return Object.entries(value).some(
    ([key, inner]) => inner === false && /^(?:should_?trigger|expected|triggers?)$/i.test(key),
  );
}
