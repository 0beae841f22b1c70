import { stemEnglish } from "./porter2.ts";

/** Part of every cached index: one made by another analyser must not be searched. Raise it with any change here. */
export const ANALYSER_VERSION = 4;

/** What a word of a text is indexed and searched as. */
interface WordTerms {
  /** In reading order: `getUserName` → get, user, name. */
  readonly parts: readonly string[];
  /** The word unsplit, so that `getusername` finds it: only when there are several parts. */
  readonly joined: string | null;
}

/**
 * The words of a text as typed. `_` and `.js` stay inside, so that identifiers and `node.js` are seen whole; `c++`,
 * `c#`, `f#` and `.net` are names. `index/word-bounds.ts` finds the same in the texts of an index.
 */
export function wordsOf(text: string): readonly string[] {
  return text.match(isAscii(text) ? ASCII_WORD : WORD()) ?? [];
}

const ASCII_WORD =
  /[cC]\+\+|[cCfF]#(?![a-zA-Z0-9])|\.(?:net|NET|Net)(?![a-zA-Z0-9])|[a-zA-Z0-9_]+(?:\.[jJ][sS](?![a-zA-Z0-9]))?/g;

/** Made when it is needed: classes of all scripts take a while to set up, which a hook would wait for. */
const WORD = (): RegExp =>
  /[cC]\+\+|[cCfF]#(?![\p{L}\p{N}])|\.(?:net|NET|Net)(?![\p{L}\p{N}])|[\p{L}\p{N}\p{M}_]+(?:\.[jJ][sS](?![\p{L}\p{N}]))?/gu;

/** Longer words are hashes and encoded data; their beginning is enough to find them again. */
const LONGEST_TERM = 40;
const LONGEST_WORD = 200;

const PLAIN = /^(?:[A-Z]?[a-z0-9]+|[A-Z0-9]+)$/;

/** Accents are folded, as they are often left out when typing. Marks of other scripts are letters there, and stay. */
function foldText(text: string): string {
  if (isAscii(text)) return text;
  return text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
}

export function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 127) return false;
  return true;
}

export function termsOfWord(word: string): WordTerms {
  // Almost every word: the tests below cannot match such a word, and cost ten times as much.
  if (PLAIN.test(word)) return { parts: termOf(word), joined: null };
  const folded = foldText(word.slice(0, LONGEST_WORD));
  if (/^(?:c\+\+|[cf]#|\.net)$/i.test(folded)) return { parts: [folded.toLowerCase()], joined: null };
  if (isUnspaced(folded)) return { parts: folded.split(UNSPACED_RUN()).flatMap(partsOfRun), joined: null };
  const pieces = splitIdentifier(folded);
  const parts = pieces.flatMap(termOf);
  if (pieces.length < 2) return { parts, joined: null };
  // `node.js` is also written `nodejs`; the whole of `__init__` is its only part.
  const [joined] = termOf(pieces.join(""));
  return { parts, joined: joined === undefined || parts.includes(joined) ? null : joined };
}

/** Whether a word or term is in a script without spaces, at least in part. Hangul has some, but glues particles to its words. */
export function isUnspaced(word: string): boolean {
  return !isAscii(word) && UNSPACED().test(word);
}

/** Made when they are needed, too. */
const UNSPACED = (): RegExp =>
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;
const UNSPACED_RUN = (): RegExp =>
  /([\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]+)/u;

/** Single characters find much, pairs find words: together they do better than a segmenter with a dictionary. */
function partsOfRun(run: string): readonly string[] {
  if (!isUnspaced(run)) return splitIdentifier(run).flatMap(termOf);
  const letters = Array.from(run);
  const parts: string[] = [];
  for (const [index, letter] of letters.entries()) {
    parts.push(letter);
    const next = letters[index + 1];
    if (next !== undefined) parts.push(letter + next);
  }
  return parts;
}

/** At `_` and `.`, where lower case turns to upper (`camelCase`), and before the last capital of a run (`PDFFile`). */
function splitIdentifier(word: string): readonly string[] {
  const isPlain = isAscii(word);
  const whole = isPlain ? PLAIN : /^(?:[\p{Ll}\p{N}]+|[\p{Lu}\p{N}]+|\p{Lu}[\p{Ll}\p{N}]+)$/u;
  if (whole.test(word)) return [word];
  const between = isPlain
    ? /[_.]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/
    : /[_.]+|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
  return word.split(between).filter((piece) => piece !== "");
}

function termOf(piece: string): readonly string[] {
  const lower = piece.toLowerCase();
  if (STOP_WORDS.has(lower)) return [];
  const short = lower.slice(0, LONGEST_TERM);
  // The stemmer takes the `s` of `ios` for a plural.
  return [/^[a-z]+$/.test(short) && short !== "ios" ? stemEnglish(short) : short];
}

/**
 * Words that say nothing about a task. One set for all seven languages, as a query and a skill need not share one:
 * so a foreign word that means something in a technical English text is left out on purpose (German `war`, `die`;
 * `bin`, `dir`; French `comment`, `plus`, `sans`, `son`, `pour`; Italian `ai`, `ci`, `io`, `vi`, `come`; Spanish `sea`;
 * Portuguese `os`, `dos`; Dutch `over`). English `go` is a language.
 */
const STOP_WORDS: ReadonlySet<string> = new Set(
  [
    // English, with what apostrophes leave behind (don't → don, t).
    "a about above after again all also am an and any are aren as at be because been before being below between both",
    "but by can cannot could couldn d did didn do does doesn doing don down during each either else ever every few for",
    "from further had hadn has hasn have haven having he her here hers herself him himself his how however i if in into",
    "is isn it its itself just let ll m may me might mine more most much must mustn my myself neither no nor not now of",
    "off often on once only onto or other our ours ourselves out own per rather re s same shall she should shouldn",
    "since so some such t than that the their theirs them themselves then there these they this those though through thus to too",
    "under until up upon us ve very was wasn we were weren what when where whether which while who whom whose why will",
    "with within without won would wouldn yes yet you your yours yourself yourselves",
    // What people say around a task: it is in every request and in every skill.
    "anyone anything everything someone something thing things way ways please thanks thank hi hello hey ok okay want wants wanted need needs",
    "needed help helps use uses used using like got get gets getting going make makes give gives know really",
    // German
    "aber als am auch auf aus bei beim bis bist da dann das dass dein deine dem den denn der des dich doch du durch",
    "ein eine einem einen einer eines er es euch euer für hab habe haben hat hatte ich ihm ihn ihr ihre im ins ist jede jeder",
    "jedes kann kein keine können könnte machen mein meine meinem meinen meiner mich mir mit möchte muss nach nicht noch nur ob",
    "oder ohne sehr sein seine sich sie sind soll sollen über um und uns unser unsere vom von vor wann warum wenn",
    "werden wie wieder wir wird wo wollen würde zu zum zur",
    // French
    "au aux avec ce ces cet cette dans de des du elle elles en est et être eu il ils je la le les leur leurs lui mais ma mes mon",
    "ne nos notre nous ont ou où par pas pourquoi quand que quel quelle quelles quels qu qui sa se ses si sont suis sur ta tes toi",
    "ton tu un une veux vos votre vous y à été",
    // Spanish
    "al algo como con cómo cual cuál cuando cuándo del desde donde dónde el ella ellos entre era eres esa ese eso esta está están este esto",
    "estos fue ha hay hacer las lo los mis muy más necesito nosotros nuestra nuestro o para pero por porque puedo qué quién quiero",
    "ser sobre su sus también te tengo tiene una unas uno unos usted ya yo",
    // Portuguese
    "ao aos às até com da das ela ele eles em então essa esse eu fazer foi isso isto já mais mas meu meus minha minhas muito na",
    "nas no nos não num numa para pela pelo preciso quais qual quem quero são sem seu seus sua suas também tem um uma você vocês",
    // Italian
    "agli alla alle allo anche che chi cosa degli dei del della delle dello di dove è ed fare gli ho il loro lui nel nella nelle",
    "non noi perché più può quale quando quello questa questo questi sono sta stato sul sulla tra tua tuo tutti tutto voglio voi vorrei",
    // Dutch
    "aan bij dan dat deze dit een en er geen gebruik graag heb hebben heeft hem het hij hoe hun ik je jij jouw kan kunnen maar me",
    "met mij mijn moet naar niet nog of omdat onze ook op te tegen tot uit van veel voor waar waarom wat we wel welke wie wil wij worden",
    "wordt zal ze zich zij zijn zo",
  ]
    .join(" ")
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .split(" "),
);
