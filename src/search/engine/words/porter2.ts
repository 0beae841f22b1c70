/**
 * The English stemmer of the Snowball project ("Porter2"), written from its published description:
 * https://snowballstem.org/algorithms/english/stemmer.html. `y` that acts as a consonant is written `Y` meanwhile.
 */
export function stemEnglish(word: string): string {
  if (word.length < 3) return word;
  const special = WHOLE_WORDS.get(word);
  if (special !== undefined) return special;
  let stem = word.startsWith("'") ? word.slice(1) : word;
  if (stem.includes("y")) stem = markConsonantY(stem);
  const r1 = firstRegion(stem);
  const r2 = regionAfter(stem, r1);
  stem = stem.replace(/'(?:s'?)?$/, "");
  stem = dropPlural(stem);
  if (KEPT_AFTER_PLURAL.has(stem)) return stem;
  stem = dropPast(stem, r1);
  stem = stem.replace(/(?<=.[^aeiouy])[yY]$/, "i");
  stem = shortenSuffix(stem, r1);
  stem = dropAdjective(stem, r1, r2);
  stem = dropEnding(stem, r2);
  stem = dropFinalLetter(stem, r1, r2);
  return stem.includes("Y") ? stem.replaceAll("Y", "y") : stem;
}

const VOWEL = /[aeiouy]/;
/** A vowel and a consonant that close a word such as `hop` or `bed`; not `w`, `x` or a consonant `Y`. */
const ENDS_IN_SHORT_SYLLABLE = /(?:[^aeiouy][aeiouy][^aeiouywxY]|^[aeiouy][^aeiouy])$/;
const ENDS_IN_DOUBLE = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;

const WHOLE_WORDS: ReadonlyMap<string, string> = new Map([
  ...Object.entries({
    skis: "ski",
    skies: "sky",
    dying: "die",
    lying: "lie",
    tying: "tie",
    idly: "idl",
    gently: "gentl",
    ugly: "ugli",
    early: "earli",
    only: "onli",
    singly: "singl",
  }),
  ...["sky", "news", "howe", "atlas", "cosmos", "bias", "andes"].map((word): [string, string] => [
    word,
    word,
  ]),
]);

const KEPT_AFTER_PLURAL: ReadonlySet<string> = new Set([
  "inning",
  "outing",
  "canning",
  "herring",
  "earring",
  "proceed",
  "exceed",
  "succeed",
]);

function markConsonantY(word: string): string {
  let marked = "";
  for (const letter of word) {
    const afterVowel = marked === "" || VOWEL.test(marked[marked.length - 1] ?? "");
    marked += letter === "y" && afterVowel ? "Y" : letter;
  }
  return marked;
}

/** R1: what follows the first consonant after a vowel. Three beginnings are cut later, as their families differ. */
function firstRegion(word: string): number {
  const long = /^(?:gener|commun|arsen)/.exec(word);
  return long === null ? regionAfter(word, 0) : long[0].length;
}

function regionAfter(word: string, from: number): number {
  const found = /[aeiouy][^aeiouy]/.exec(word.slice(from));
  return found === null ? word.length : from + found.index + 2;
}

function dropPlural(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (word.endsWith("ied") || word.endsWith("ies")) return word.slice(0, word.length > 4 ? -2 : -1);
  if (word.endsWith("us") || word.endsWith("ss") || !word.endsWith("s")) return word;
  return VOWEL.test(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function dropPast(word: string, r1: number): string {
  const found = /(?:eedly|eed|ingly|edly|ing|ed)$/.exec(word);
  if (found === null) return word;
  const [suffix] = found;
  if (suffix.startsWith("eed")) return found.index >= r1 ? `${word.slice(0, found.index)}ee` : word;
  const rest = word.slice(0, found.index);
  if (!VOWEL.test(rest)) return word;
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`;
  if (ENDS_IN_DOUBLE.test(rest)) return rest.slice(0, -1);
  return rest.length <= r1 && ENDS_IN_SHORT_SYLLABLE.test(rest) ? `${rest}e` : rest;
}

type Rule = readonly [suffix: string, replacement: string];

/** Longest first: only the longest suffix that fits counts. */
const SHORTER: readonly Rule[] = [
  ["ization", "ize"],
  ["ational", "ate"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["iveness", "ive"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["lessli", "less"],
  ["entli", "ent"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["ousli", "ous"],
  ["iviti", "ive"],
  ["fulli", "ful"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["abli", "able"],
  ["izer", "ize"],
  ["ator", "ate"],
  ["alli", "al"],
  ["bli", "ble"],
  ["ogi", "og"],
  ["li", ""],
];

function shortenSuffix(word: string, r1: number): string {
  const rule = SHORTER.find(([suffix]) => word.endsWith(suffix));
  if (rule === undefined) return word;
  const [suffix, replacement] = rule;
  const cut = word.length - suffix.length;
  if (cut < r1) return word;
  const before = word[cut - 1] ?? "";
  if (suffix === "ogi" && before !== "l") return word;
  if (suffix === "li" && !"cdeghkmnrt".includes(before)) return word;
  return word.slice(0, cut) + replacement;
}

const ADJECTIVES: readonly Rule[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["alize", "al"],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ative", ""],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];

function dropAdjective(word: string, r1: number, r2: number): string {
  const rule = ADJECTIVES.find(([suffix]) => word.endsWith(suffix));
  if (rule === undefined) return word;
  const cut = word.length - rule[0].length;
  return cut < (rule[0] === "ative" ? r2 : r1) ? word : word.slice(0, cut) + rule[1];
}

const ENDING = /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|ion|al|er|ic)$/;

function dropEnding(word: string, r2: number): string {
  const found = ENDING.exec(word);
  if (found === null || found.index < r2) return word;
  if (found[0] === "ion" && !"st".includes(word[found.index - 1] ?? " ")) return word;
  return word.slice(0, found.index);
}

function dropFinalLetter(word: string, r1: number, r2: number): string {
  const rest = word.slice(0, -1);
  if (word.endsWith("e")) {
    const dropped = rest.length >= r2 || (rest.length >= r1 && !ENDS_IN_SHORT_SYLLABLE.test(rest));
    return dropped ? rest : word;
  }
  return word.endsWith("ll") && rest.length >= r2 ? rest : word;
}
