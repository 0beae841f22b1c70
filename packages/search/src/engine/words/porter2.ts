/**
 * The English stemmer of the Snowball project ("Porter2"), written from its published description:
 * https://snowballstem.org/algorithms/english/stemmer.html. `y` that acts as a consonant is written `Y` meanwhile. Without
 * regular expressions: each takes longer to compile than a hook has time for.
 */
export function stemEnglish(word: string): string {
  if (word.length < 3) return word;
  const special = WHOLE_WORDS.get(word);
  if (special !== undefined) return special;
  let stem = word.startsWith("'") ? word.slice(1) : word;
  if (stem.includes("y")) stem = markConsonantY(stem);
  const r1 = firstRegion(stem);
  const r2 = regionAfter(stem, r1);
  if (stem.includes("'")) stem = stem.replace(/'(?:s'?)?$/, "");
  stem = dropPlural(stem);
  stem = dropPast(stem, r1);
  if (endsInConsonantAndY(stem)) stem = `${stem.slice(0, -1)}i`;
  stem = shortenSuffix(stem, r1);
  stem = dropAdjective(stem, r1, r2);
  stem = dropEnding(stem, r2);
  stem = dropFinalLetter(stem, r1, r2);
  return stem.includes("Y") ? stem.replaceAll("Y", "y") : stem;
}

/** A bit for each of a, e, i, o, u and y. */
const VOWELS = 0b1000100000100000100010001;

/** `Y` is none. */
function isVowel(word: string, at: number): boolean {
  const letter = word.charCodeAt(at) - 97;
  return letter >= 0 && letter < 26 && ((VOWELS >>> letter) & 1) === 1;
}

function isConsonant(word: string, at: number): boolean {
  return at >= 0 && !isVowel(word, at);
}

function hasVowel(word: string, end: number): boolean {
  for (let at = 0; at < end; at++) if (isVowel(word, at)) return true;
  return false;
}

/** A vowel and a consonant that close a word such as `hop` or `bed`; not `w`, `x` or a consonant `Y`. `paste` is like `hope`. */
function endsInShortSyllable(word: string): boolean {
  const last = word.length - 1;
  if (word.endsWith("past")) return true;
  if (!isVowel(word, last - 1) || !isConsonant(word, last)) return false;
  return last === 1 || (isConsonant(word, last - 2) && !"wxY".includes(word.charAt(last)));
}

function endsInDouble(word: string): boolean {
  const last = word.charAt(word.length - 1);
  return last !== "" && last === word.charAt(word.length - 2) && "bdfgmnprt".includes(last);
}

function endsInConsonantAndY(word: string): boolean {
  const last = word.length - 1;
  return last > 1 && "yY".includes(word.charAt(last)) && isConsonant(word, last - 1);
}

const WHOLE_WORDS: ReadonlyMap<string, string> = new Map([
  ...Object.entries({
    skis: "ski",
    skies: "sky",
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

function markConsonantY(word: string): string {
  let marked = "";
  for (const letter of word) {
    const afterVowel = marked === "" || isVowel(marked, marked.length - 1);
    marked += letter === "y" && afterVowel ? "Y" : letter;
  }
  return marked;
}

/** Their families differ: `generate` is not `general`, and `university` is not `universal`. */
const LONG_BEGINNINGS = "gener commun arsen past univers later emerg organ inter".split(" ");

/** R1: what follows the first consonant after a vowel. Some beginnings are cut later. */
function firstRegion(word: string): number {
  return LONG_BEGINNINGS.find((beginning) => word.startsWith(beginning))?.length ?? regionAfter(word, 0);
}

function regionAfter(word: string, from: number): number {
  for (let at = from; at < word.length - 1; at++) {
    if (isVowel(word, at) && !isVowel(word, at + 1)) return at + 2;
  }
  return word.length;
}

function dropPlural(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (word.endsWith("ied") || word.endsWith("ies")) return word.slice(0, word.length > 4 ? -2 : -1);
  if (word.endsWith("us") || word.endsWith("ss") || !word.endsWith("s")) return word;
  return hasVowel(word, word.length - 2) ? word.slice(0, -1) : word;
}

/** Longest first, here and below: only the longest suffix that fits counts. */
const PAST = byLastLetter(["eedly", "ingly", "edly", "eed", "ing", "ed"]);

/** Nouns that no verb is behind, and verbs that end in `ceed`. */
const WHOLE_ING = new Set("inning outing canning herring earring evening".split(" "));
const WHOLE_CEED = new Set(["proc", "exc", "succ"]);

function dropPast(word: string, r1: number): string {
  const suffix = suffixOf(word, PAST);
  if (suffix === undefined) return word;
  const cut = word.length - suffix.length;
  const rest = word.slice(0, cut);
  if (suffix.startsWith("eed")) return cut >= r1 && !WHOLE_CEED.has(rest) ? `${rest}ee` : word;
  if (suffix === "ing") {
    if (WHOLE_ING.has(word)) return word;
    // `dying` → `die`.
    if (cut === 2 && rest.endsWith("y") && isConsonant(word, 0)) return `${word.charAt(0)}ie`;
  }
  if (!hasVowel(word, cut)) return word;
  if (rest.endsWith("at") || rest.endsWith("bl") || rest.endsWith("iz")) return `${rest}e`;
  if (endsInDouble(rest)) return isWholeDouble(rest) ? rest : rest.slice(0, -1);
  return rest.length === r1 && endsInShortSyllable(rest) ? `${rest}e` : rest;
}

/** `add`, `egg`, `odd`: the double is not due to what follows it. */
function isWholeDouble(word: string): boolean {
  return word.length === 3 && "aeo".includes(word.charAt(0));
}

/** Suffixes by their last letter, which rules out all of them for most words. */
type Suffixes = ReadonlyMap<string, readonly string[]>;

function byLastLetter(suffixes: Iterable<string>): Suffixes {
  const byLetter = new Map<string, string[]>();
  for (const suffix of suffixes) {
    const last = suffix.charAt(suffix.length - 1);
    byLetter.set(last, [...(byLetter.get(last) ?? []), suffix]);
  }
  return byLetter;
}

/** The first suffix that the word has. */
function suffixOf(word: string, suffixes: Suffixes): string | undefined {
  const possible = suffixes.get(word.charAt(word.length - 1));
  if (possible !== undefined) for (const suffix of possible) if (word.endsWith(suffix)) return suffix;
  return undefined;
}

const SHORTER: ReadonlyMap<string, string> = new Map([
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
  ["ogist", "og"],
  ["ogi", "og"],
  ["li", ""],
]);
const SHORTENED = byLastLetter(SHORTER.keys());

function shortenSuffix(word: string, r1: number): string {
  const suffix = suffixOf(word, SHORTENED);
  if (suffix === undefined) return word;
  const cut = word.length - suffix.length;
  if (cut < r1) return word;
  const before = word[cut - 1] ?? "";
  if (suffix === "ogi" && before !== "l") return word;
  if (suffix === "li" && !"cdeghkmnrt".includes(before)) return word;
  return `${word.slice(0, cut)}${SHORTER.get(suffix)}`;
}

const ADJECTIVES: ReadonlyMap<string, string> = new Map([
  ["ational", "ate"],
  ["tional", "tion"],
  ["alize", "al"],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ative", ""],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
]);
const ADJECTIVE_SUFFIXES = byLastLetter(ADJECTIVES.keys());

function dropAdjective(word: string, r1: number, r2: number): string {
  const suffix = suffixOf(word, ADJECTIVE_SUFFIXES);
  if (suffix === undefined) return word;
  const cut = word.length - suffix.length;
  return cut < (suffix === "ative" ? r2 : r1) ? word : `${word.slice(0, cut)}${ADJECTIVES.get(suffix)}`;
}

const ENDINGS = byLastLetter([
  ...["ement", "ance", "ence", "able", "ible", "ment"],
  ...["ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "ion", "al", "er", "ic"],
]);

function dropEnding(word: string, r2: number): string {
  const suffix = suffixOf(word, ENDINGS);
  if (suffix === undefined) return word;
  const cut = word.length - suffix.length;
  if (cut < r2) return word;
  if (suffix === "ion" && !"st".includes(word[cut - 1] ?? " ")) return word;
  return word.slice(0, cut);
}

function dropFinalLetter(word: string, r1: number, r2: number): string {
  const rest = word.slice(0, -1);
  if (word.endsWith("e")) {
    const dropped = rest.length >= r2 || (rest.length >= r1 && !endsInShortSyllable(rest));
    return dropped ? rest : word;
  }
  return word.endsWith("ll") && rest.length >= r2 ? rest : word;
}
