import { PAIR_WINDOW } from "../index/segment.ts";
import { ALIASES_BY_TERMS, wholeTerms } from "../words/alias-terms.ts";
import type { Alias } from "../words/aliases.ts";
import { isUnspaced, termsOfWord, wordsOf } from "../words/analyse.ts";

/** One thing the query asks for, and every term that can match it. */
export interface Concept {
  readonly term: string;
  /** How often it is mentioned; words in fenced code count half. */
  readonly weight: number;
  /** The words as typed, in lower case. */
  readonly words: readonly string[];
  /** Other terms for it, with the share of the weight that they earn. */
  readonly others: readonly Alternative[];
}

export interface Alternative {
  readonly term: string;
  readonly share: number;
}

export interface ParsedQuery {
  /** In the order of their first mention. */
  readonly concepts: readonly Concept[];
  /** Every typed word in lower case, once, in query order. */
  readonly words: readonly string[];
  /** Adjacent concepts, by their numbers. */
  readonly pairs: readonly (readonly [first: number, second: number])[];
}

export type Synonyms = ReadonlyMap<string, readonly string[]>;

/** A task is a few sentences; of a pasted document the beginning says what it is about. */
const LONGEST_QUERY = 20_000;
const CODE_WEIGHT = 0.5;
/** A part of `getUserName` is a weaker sign than the whole. */
const PART_WEIGHT = 0.5;
/**
 * A sentence in a script without spaces has several terms for each word, and all are rare among English skills: together they
 * weigh about as much as its words would. Hiragana is mostly grammar.
 */
const UNSPACED_WEIGHT = { pair: 0.06, letter: 0.015, hiragana: 0.002 };
/** A synonym of something in such a script is one more word of the query, a little less sure than a typed one. */
const READ_AS_WEIGHT = 0.8;
/** The user's own synonyms count in full. */
const SYNONYM_SHARE = 0.9;
const LONGEST_PHRASE = 3;

interface Mention {
  readonly term: string;
  readonly weight: number;
  readonly word: string;
  /** False for a part of a longer word: phrases use the whole word. */
  readonly inSequence: boolean;
}

/** A concept while the query is being read. */
interface ConceptDraft {
  readonly number: number;
  readonly term: string;
  weight: number;
  readonly words: Set<string>;
  readonly others: Map<string, number>;
}

export function parseQuery(text: string, synonyms: Synonyms | undefined): ParsedQuery {
  const mentions = mentionsIn(text.slice(0, LONGEST_QUERY), unspacedSynonyms(synonyms));
  const drafts = new Map<string, ConceptDraft>();
  for (const { term, weight, word } of mentions) {
    const draft = drafts.get(term) ?? {
      number: drafts.size,
      term,
      weight: 0,
      words: new Set(),
      others: new Map(),
    };
    drafts.set(term, draft);
    draft.weight += weight;
    draft.words.add(word);
  }
  const sequence = mentions.filter(({ inSequence }) => inSequence);
  addAliases(sequence, drafts, synonyms ?? new Map());
  return {
    concepts: [...drafts.values()].map(({ term, weight, words, others }) => ({
      term,
      weight,
      words: [...words],
      others: [...others].map(([other, share]) => ({ term: other, share })),
    })),
    words: [...new Set(mentions.map(({ word }) => word))],
    pairs: pairsOf(sequence.map(({ term }) => drafts.get(term)?.number ?? 0)),
  };
}

/** Looks up every phrase of up to three words among the aliases and the user's synonyms. */
function addAliases(
  sequence: readonly Mention[],
  drafts: ReadonlyMap<string, ConceptDraft>,
  synonyms: Synonyms,
): void {
  const seen = new Set<string>();
  const longestSynonym = Math.max(0, ...[...synonyms.keys()].map((phrase) => phrase.length));
  for (let from = 0; from < sequence.length; from++) {
    let terms = "";
    let words = "";
    for (const [before, { term, word }] of sequence.slice(from, from + LONGEST_PHRASE).entries()) {
      terms = before === 0 ? term : `${terms} ${term}`;
      const aliases = ALIASES_BY_TERMS.get(terms);
      // Phrases are not made from the parts of one long word: that would cost more than the search.
      if (words.length <= longestSynonym) words = before === 0 ? word : `${words} ${word}`;
      const own = words.length <= longestSynonym ? synonyms.get(words) : undefined;
      // A repeated phrase adds nothing, and a query may be a megabyte of the same words.
      if ((aliases === undefined && own === undefined) || seen.has(`${terms}\n${words}`)) continue;
      seen.add(`${terms}\n${words}`);
      const phrase = sequence
        .slice(from, from + before + 1)
        .map((mention) => drafts.get(mention.term) as ConceptDraft);
      addOthers(phrase, aliases ?? []);
      addOthers(phrase, own?.map((other) => ({ phrase: other, share: SYNONYM_SHARE })) ?? []);
    }
  }
}

function addOthers(phrase: readonly ConceptDraft[], aliases: readonly Alias[]): void {
  for (const { term, others } of phrase) {
    for (const alias of aliases) {
      const terms = wordsOf(alias.phrase).flatMap(wholeTerms);
      // A phrase for a phrase: each word earns its part only.
      const share = alias.share / terms.length / phrase.length;
      for (const other of terms) {
        if (other !== term) others.set(other, Math.max(share, others.get(other) ?? 0));
      }
    }
  }
}

/** Each pair of adjacent concepts, once. */
function pairsOf(sequence: readonly number[]): ParsedQuery["pairs"] {
  const pairs = new Map<string, readonly [number, number]>();
  for (const [index, second] of sequence.entries()) {
    for (const first of sequence.slice(Math.max(index - PAIR_WINDOW, 0), index)) {
      if (first !== second) pairs.set(`${first} ${second}`, [first, second]);
    }
  }
  return [...pairs.values()];
}

/** Mentions of a query: equal words in prose, and equal words in code, are one mention each. */
function mentionsIn(text: string, readAs: readonly ReadAs[]): readonly Mention[] {
  // Every other piece lies between fences; an open fence runs to the end.
  const known = [new Map<string, readonly Mention[]>(), new Map<string, readonly Mention[]>()];
  return text.split(/^[ \t]*```/m).flatMap((piece, index) => {
    const weight = index % 2 === 1 ? CODE_WEIGHT : 1;
    const knownHere = known[index % 2];
    return wordsOf(piece).flatMap((typed) => {
      const mentions = knownHere?.get(typed) ?? mentionsOf(typed, weight, readAs);
      knownHere?.set(typed, mentions);
      return mentions;
    });
  });
}

/** What something in a script without spaces means: there, a phrase is found anywhere in a run of letters. */
interface ReadAs {
  readonly phrase: string;
  readonly terms: readonly string[];
}

function unspacedSynonyms(synonyms: Synonyms | undefined): readonly ReadAs[] {
  return [...(synonyms ?? [])].flatMap(([phrase, others]) =>
    isUnspaced(phrase)
      ? [{ phrase, terms: others.flatMap((other) => wordsOf(other).flatMap(wholeTerms)) }]
      : [],
  );
}

function unspacedMentions(
  word: string,
  parts: readonly string[],
  weight: number,
  readAs: readonly ReadAs[],
): readonly Mention[] {
  const weightOf = (term: string): number => {
    if (!isUnspaced(term)) return weight;
    if (/^\p{Script=Hiragana}+$/u.test(term)) return weight * UNSPACED_WEIGHT.hiragana;
    return weight * (Array.from(term).length > 1 ? UNSPACED_WEIGHT.pair : UNSPACED_WEIGHT.letter);
  };
  const found = readAs.filter(({ phrase }) => word.includes(phrase)).flatMap(({ terms }) => terms);
  return [
    ...parts.map((term) => ({ term, weight: weightOf(term), word, inSequence: true })),
    ...found.map((term) => ({ term, weight: weight * READ_AS_WEIGHT, word, inSequence: true })),
  ];
}

function mentionsOf(typed: string, weight: number, readAs: readonly ReadAs[]): readonly Mention[] {
  const { parts, joined } = termsOfWord(typed);
  const word = typed.toLowerCase();
  if (isUnspaced(word)) return unspacedMentions(word, parts, weight, readAs);
  const split = joined !== null;
  const mentions: Mention[] = parts.map((term) => ({
    term,
    weight: split ? weight * PART_WEIGHT : weight,
    word,
    inSequence: !split,
  }));
  if (split) mentions.push({ term: joined, weight, word, inSequence: true });
  return mentions;
}
