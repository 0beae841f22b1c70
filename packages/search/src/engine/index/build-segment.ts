import { isRecord } from "#util/pure";
import { createDocumentMeaning, passagesOf } from "../meaning/document-meaning.ts";
import type { WordTable } from "../meaning/embed.ts";
import type { Steps } from "../steps.ts";
import {
  append,
  type NumberList,
  numberList,
  pairFilter,
  pairHash,
  type Segment,
  termHash,
  withRoomFor,
} from "./segment.ts";
import { createSegmentWriter } from "./segment-writer.ts";
import { createTermReader } from "./text-terms.ts";

/** Only the beginning of a body is indexed; longer ones would match everything. */
const BODY_CAP = 16_000;
const LONGEST_FIELD = 16_000;
const MOST_LENGTH = 0xffff;

interface SegmentBuilder {
  /** Takes a few milliseconds for the longest document. */
  add(document: SearchDocument): void;
  finish(): Steps<Segment>;
}

export function createSegmentBuilder(table?: WordTable): SegmentBuilder {
  const writer = createSegmentWriter();
  const meaning = table === undefined ? undefined : createDocumentMeaning(table);
  /** By term. */
  const hashes = numberList();
  const readTerms = createTermReader((term) => {
    const number = writer.termNumber(term);
    if (number === hashes.length) {
      append(hashes, termHash(term));
      meaning?.addTerm(term);
    }
    return number;
  });
  const occurrences = createOccurrences();
  const pairs = numberList();

  /** Returns how many terms the text has. Pairs do not run from one text into the next. */
  const addText = (text: string, field: number): number => {
    const { mentioned, sequence, length } = readTerms(text);
    occurrences.add(mentioned, field);
    meaning?.add(mentioned);
    addPairs(pairs, sequence, hashes);
    return length;
  };
  const takePairs = (): Uint8Array => {
    const filter = pairFilter(pairs.values.subarray(0, pairs.length));
    pairs.length = 0;
    return filter;
  };

  return {
    add({ id, name, description, keywords, examples, body }) {
      const lengths: number[] = [];
      const texts: readonly (readonly string[])[] = [[name], [description], keywords, examples];
      for (const field of [NAME, DESCRIPTION, KEYWORDS, EXAMPLES]) {
        let length = 0;
        for (const text of texts[field] ?? []) length += addText(text.slice(0, LONGEST_FIELD), field);
        lengths[field] = Math.min(length, MOST_LENGTH);
      }
      const pairsAbove = takePairs();
      meaning?.endHead();
      lengths[BODY] = 0;
      for (const passage of passagesOf(body.slice(0, BODY_CAP))) {
        lengths[BODY] += addText(passage, BODY);
        meaning?.endPassage(passage);
      }
      const doc = writer.addDocument(id, lengths, [pairsAbove, takePairs()], meaning?.take());
      occurrences.take((term, counts) => writer.addPosting(term, doc, counts));
    },
    finish: () => writer.finish(),
  };
}

/** Each term with the two before it. */
function addPairs(pairs: NumberList, { values: terms, length }: NumberList, hashes: NumberList): void {
  const byTerm = hashes.values;
  for (let at = 1; at < length; at++) {
    const term = terms[at] as number;
    const before = terms[at - 1] as number;
    const hash = byTerm[term] as number;
    const beforeThat = at === 1 ? term : (terms[at - 2] as number);
    if (beforeThat !== term) append(pairs, pairHash(byTerm[beforeThat] as number, hash));
    if (before !== term) append(pairs, pairHash(byTerm[before] as number, hash));
  }
}

/** Counts the terms of one document at a time. */
function createOccurrences() {
  /** By term: there are many, in no order, and this way most of them stay in the processor's cache. */
  let counts = new Uint16Array(1024);
  const counted = numberList();
  return {
    add({ values: terms, length }: NumberList, field: number): void {
      for (let at = 0; at < length; at++) {
        const term = terms[at] as number;
        counts = withRoomFor(counts, term);
        const before = counts[term] as number;
        if (before === 0) append(counted, term);
        counts[term] = withOccurrence(before, field);
      }
    },
    take(use: (term: number, counts: number) => void): void {
      for (let at = 0; at < counted.length; at++) {
        const term = counted.values[at] as number;
        use(term, counts[term] as number);
        counts[term] = 0;
      }
      counted.length = 0;
    },
  };
}

/** A skill as text to be searched. `id` is unique and stable. */
export interface SearchDocument {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Keywords, tags, aliases. */
  readonly keywords: readonly string[];
  /** Requests the skill answers: examples, triggers, when to use it, quoted phrases, prompts of its evals. */
  readonly examples: readonly string[];
  /** Read for indexing; the index does not contain it. */
  readonly body: string;
}

interface SkillText {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The front matter. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly evalPrompts: readonly string[];
}

const KEYWORD_FIELDS = ["keywords", "tags", "aliases", "topics", "category", "categories"];
const EXAMPLE_FIELDS = ["examples", "triggers", "trigger", "whentouse", "usewhen", "prompts"];

/** Enough for what authors write by hand; a file of generated prompts must not drown the description. */
const MOST_EXAMPLES = 64;
const LONGEST_EXAMPLE = 400;

/** Makes the document of a skill: front matter fields → keywords and examples, quoted phrases in the description. */
export function searchDocumentOf(skill: SkillText): SearchDocument {
  const { id, name, fields, body, evalPrompts } = skill;
  const description = withoutNegatives(skill.description);
  const examples = [...textsOf(fields, EXAMPLE_FIELDS), ...quotedPhrases(description), ...evalPrompts];
  return {
    id,
    name,
    description,
    keywords: textsOf(fields, KEYWORD_FIELDS).slice(0, MOST_EXAMPLES),
    examples: examples.slice(0, MOST_EXAMPLES).map((example) => example.slice(0, LONGEST_EXAMPLE)),
    body,
  };
}

/** The strings below the fields of these names, at the top or in `metadata`; `when_to_use` is `whenToUse`. */
function textsOf(fields: Readonly<Record<string, unknown>>, names: readonly string[]): readonly string[] {
  const found: string[] = [];
  const { metadata } = fields;
  for (const source of [fields, isRecord(metadata) ? metadata : {}]) {
    for (const [key, value] of Object.entries(source)) {
      if (names.includes(key.toLowerCase().replace(/[_\s-]/g, ""))) collectStrings(value, found, 0);
    }
  }
  return found;
}

function collectStrings(value: unknown, into: string[], depth: number): void {
  if (typeof value === "string" || typeof value === "number") into.push(String(value));
  else if (depth < 3 && Array.isArray(value)) for (const item of value) collectStrings(item, into, depth + 1);
  else if (depth < 3 && isRecord(value)) {
    for (const item of Object.values(value)) collectStrings(item, into, depth + 1);
  }
}

/** `"review my design"` in a description is what a user is expected to say. */
function quotedPhrases(text: string): readonly string[] {
  return [
    ...text.matchAll(/"([^"]{3,200})"|“([^”]{3,200})”|(?<![\p{L}\p{N}])'([^']{3,200})'(?![\p{L}\p{N}])/gu),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

/**
 * "Do not use for X (use other-skill)" names what the skill is not for: found by those words, it would be wrong. Up to
 * the end of the sentence, which the dot of `a.png` or `e.g.` is not.
 */
function withoutNegatives(description: string): string {
  return description.replace(NEGATIVE, " ");
}

const NEGATIVE = new RegExp(
  [
    "(?:",
    [
      String.raw`\b(?:do not|don't|does not|never) (?:use|trigger|invoke|activate|apply|load)\b`,
      String.raw`\bnot (?:intended |meant |suitable )?for\b`,
      String.raw`\bnot (?:use|trigger)(?:ed)? (?:for|on|when)\b`,
      String.raw`\bskip (?:on|for|when|if)\b`,
      String.raw`\b(?:avoid|unsuitable) for\b`,
    ].join("|"),
    String.raw`)(?:[^.;]|\.(?=\S)|(?<=\b(?:e\.g|i\.e|vs|etc))\.)*`,
  ].join(""),
  "gi",
);

/** The fields of a document, in the order in which every per-field array is laid out. */
export const NAME = 0;
export const DESCRIPTION = 1;
export const KEYWORDS = 2;
export const EXAMPLES = 3;
export const BODY = 4;

/**
 * How often a term occurs in each field of one document, in 16 bits: name 2, description 3, keywords 2, examples 3,
 * body 6. More occurrences than fit count as the most that fit: BM25 is nearly flat there.
 */
export const NAME_SHIFT = 14;
export const DESCRIPTION_SHIFT = 11;
export const KEYWORDS_SHIFT = 9;
export const EXAMPLES_SHIFT = 6;
export const BODY_MASK = 63;
const FIELD_SHIFT: readonly number[] = [NAME_SHIFT, DESCRIPTION_SHIFT, KEYWORDS_SHIFT, EXAMPLES_SHIFT, 0];
const FIELD_MOST: readonly number[] = [3, 7, 3, 7, BODY_MASK];

/** Everything above the body: the fields an author wrote to be found by. */
export const ABOVE_BODY = 0xffc0;

export const IN_DESCRIPTION = 7 << DESCRIPTION_SHIFT;

/** By field, then by document number: how many terms the field has. */
export type Lengths = readonly [Uint16Array, Uint16Array, Uint16Array, Uint16Array, Uint16Array];

/** The packed counts with one more occurrence in a field. */
export function withOccurrence(packed: number, field: number): number {
  const shift = FIELD_SHIFT[field] as number;
  const most = FIELD_MOST[field] as number;
  return ((packed >>> shift) & most) < most ? packed + (1 << shift) : packed;
}

/** By field: how much an occurrence counts, and how much a field longer than average takes from it (b). */
export const BM25F = {
  weights: [3, 2, 2, 2, 0.5],
  b: [0.75, 0.75, 0.75, 0.75, 0.75],
  /** How soon more occurrences of the same word stop counting. */
  k1: 1.5,
};
