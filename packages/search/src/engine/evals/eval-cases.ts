import { isRecord } from "#util/pure";

/** A prompt of which a skill's author says that it should choose the skill, or that it should not. */
export interface EvalCase {
  readonly prompt: string;
  readonly shouldTrigger: boolean;
  /** Where it is written: a file below the skill's folder, or the field of its front matter. */
  readonly source: string;
}

/** Where the prompts of an eval file are found: what people call the text that a user would type. */
const PROMPT_KEYS: ReadonlySet<string> = new Set(["prompt", "query", "input", "task", "question", "user"]);

/** Lists of plain prompts, and lists of prompts that are for other skills; without `_`, `-` and blanks. */
const POSITIVE_LISTS =
  /^(?:(?:should)?trigger(?:s|ing)?(?:prompts|queries|examples)?|positive(?:s|prompts|queries|examples)?|prompts|queries|examples)$/;
const NEGATIVE_LISTS =
  /^(?:should(?:not|nt)trigger|(?:non|anti)trigger(?:s|ing)?|negative(?:s|triggers|prompts|queries|examples)?|(?:no|not)trigger(?:s|prompts)?)$/;

const MOST_CASES = 64;
const DEEPEST = 6;

/** The prompts in a skill's eval file; docs/how-to/evals.md lists the forms. */
export function evalCasesIn(json: unknown, source: string): readonly EvalCase[] {
  const cases: EvalCase[] = [];
  const add = (prompt: string, shouldTrigger: boolean): void => {
    if (prompt.trim() !== "") cases.push({ prompt, shouldTrigger, source });
  };
  collect(json, add, { depth: 0, shouldTrigger: true, isList: false });
  return cases.slice(0, MOST_CASES);
}

interface CasePlace {
  readonly depth: number;
  readonly shouldTrigger: boolean;
  /** Whether strings here are prompts. */
  readonly isList: boolean;
}

function collect(
  value: unknown,
  add: (prompt: string, shouldTrigger: boolean) => void,
  place: CasePlace,
): void {
  const { depth, shouldTrigger, isList } = place;
  if (depth > DEEPEST) return;
  if (typeof value === "string" && isList) add(value, shouldTrigger);
  else if (Array.isArray(value)) {
    for (const item of value) collect(item, add, { ...place, depth: depth + 1 });
  } else if (isRecord(value)) {
    const triggers = shouldTrigger && !saysNotToTrigger(value);
    for (const [key, inner] of Object.entries(value)) {
      const name = plainKey(key);
      if (typeof inner === "string" && PROMPT_KEYS.has(name)) add(inner, triggers);
      else if (typeof inner === "object") collect(inner, add, insideOf(name, triggers, depth));
    }
  }
}

function insideOf(name: string, shouldTrigger: boolean, depth: number): CasePlace {
  const isNegative = NEGATIVE_LISTS.test(name);
  const isList = isNegative || POSITIVE_LISTS.test(name);
  return { depth: depth + 1, shouldTrigger: shouldTrigger && !isNegative, isList };
}

function plainKey(key: string): string {
  return key.toLowerCase().replace(/[_\s-]/g, "");
}

function saysNotToTrigger(value: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(value).some(([key, inner]) => {
    const name = plainKey(key);
    if (inner === false) return /^(?:shouldtrigger|expected|triggers?)$/.test(name);
    if (inner === true) return /^(?:should(?:not|nt)trigger|negative)$/.test(name);
    return (
      /^(?:type|kind|expected|label)$/.test(name) && /^(?:negative|no[_-]?trigger)$/i.test(String(inner))
    );
  });
}

/** The prompts in the front matter: examples and triggers, and those that are for other skills. */
export function frontMatterCases(fields: Readonly<Record<string, unknown>>): readonly EvalCase[] {
  const { metadata } = fields;
  return [fields, isRecord(metadata) ? metadata : {}].flatMap((source) =>
    Object.entries(source).flatMap(([key, value]) => {
      const name = plainKey(key);
      if (!FRONT_MATTER_LISTS.test(name) && !NEGATIVE_LISTS.test(name)) return [];
      // A single text is a list of one.
      return evalCasesIn({ [name]: typeof value === "string" ? [value] : value }, key);
    }),
  );
}

const FRONT_MATTER_LISTS = /^(?:examples|triggers?|prompts|triggerprompts)$/;
