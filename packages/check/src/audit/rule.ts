import type { Severity } from "#skills";

/** What a rule is about. Rules of one category find variants of one thing. */
type Category =
  | "hidden-text"
  | "manipulation"
  | "remote-code"
  | "encoded-code"
  | "credentials"
  | "exfiltration"
  | "secrets"
  | "tools"
  | "substitution"
  | "settings"
  | "links"
  | "names"
  | "executables"
  | "damage"
  | "coverage";

/** What reports say of a rule. */
export interface RuleInfo {
  /** Stable: suppressions and other programs name it. */
  readonly id: string;
  readonly category: Category;
  /** The usual one; a finding may be worse or milder. */
  readonly severity: Severity;
  /** What it finds, as a phrase. */
  readonly title: string;
  /** Why it matters. A sentence. */
  readonly why: string;
  /** What to do. A sentence. */
  readonly fix: string;
}

/** Patterns that all match one unit of text, in any order. */
export interface Case {
  /** `line`: a line of code or text. `sentence`: of prose, over line ends. */
  readonly unit: "line" | "sentence";
  readonly all: readonly RegExp[];
  readonly none?: readonly RegExp[];
  /** Another severity than the rule's. */
  readonly severity?: Severity;
  /** Only in files of this kind. */
  readonly in?: FileKind;
  /** Only in shell code: a script, or a block of commands. */
  readonly shell?: true;
}

/** Two patterns that match lines close to each other: the second is reported, and has one of the rule's words. */
export interface NearCase {
  readonly unit: "near";
  readonly all: readonly [RegExp, RegExp];
  readonly none?: readonly RegExp[];
  /** How many lines lie between them at most. */
  readonly within: number;
  readonly severity?: Severity;
  readonly in?: FileKind;
}

/** `prose`: Markdown and plain text. `code`: everything else. */
export type FileKind = "prose" | "code";

/** A rule that patterns describe. Every quantifier in them is bounded, so that a hostile text costs no more than a long one. */
export interface TextRule extends RuleInfo {
  /** In lower case: whatever the rule finds has one of them, and nothing else is looked at. */
  readonly words: readonly string[];
  readonly cases: readonly (Case | NearCase)[];
  /** A matching unit with one of these is as bad as that. The first one counts. */
  readonly grades?: readonly { readonly when: RegExp; readonly severity: Severity }[];
  /** A unit with this is no worse than `low`, unless a grade says otherwise. */
  readonly mild?: RegExp;
  /** True: it is about what a text tells the agent. Code and quoted text tell it nothing. */
  readonly speaks?: true;
  /** A sentence of prose that only talks about it, or warns of it. */
  readonly talk?: RegExp;
  /** True: skills about security teach it, so in the text of one it weighs less. Their scripts get no discount. */
  readonly taught?: true;
}

type Limits = Partial<Pick<Case, "none" | "severity" | "in" | "shell">>;

/** Makes the functions that describe cases: they take limits, if a case has any, then its patterns. */
function casesOf(unit: Case["unit"]): (first: Limits | RegExp, ...rest: readonly RegExp[]) => Case {
  return (first, ...rest) =>
    first instanceof RegExp ? { unit, all: [first, ...rest] } : { unit, all: rest, ...first };
}

export const line = casesOf("line");
export const sentence = casesOf("sentence");

export function near(limits: Limits & Pick<NearCase, "within">, context: RegExp, anchor: RegExp): NearCase {
  return { unit: "near", all: [context, anchor], ...limits };
}

/** The words of a rule from one text, which separates them by `|`: spaces belong to words. */
export function wordsOf(text: string): readonly string[] {
  return text.split("|");
}
