export type Scalar = string | number | boolean | null;

/**
 * The value of a one-line scalar whose meaning in YAML is certain, `undefined` for every other. The caller has
 * made sure that `source` holds no tab or control character and has no space at either end.
 */
export function readPlainScalar(source: string): Scalar | undefined {
  const first = source[0];
  if (first === undefined) return null;
  if (first === '"' || first === "'") return unquoted(source, first);
  if (SAFE_FIRST.test(first)) return isSafePlainText(source) ? wordOrText(source) : undefined;
  return DIGIT.test(first) ? numberOrText(source) : undefined;
}

/** A word that YAML reads as a boolean or as null. */
export function isCoreWord(source: string): boolean {
  return source.length <= 5 && CORE_WORDS.has(source);
}

/** A quoted string whose only quotes are its own: nothing in it can be an escape. */
function unquoted(source: string, quote: string): string | undefined {
  if (source.length < 2 || source.indexOf(quote, 1) !== source.length - 1 || source.includes("\\"))
    return undefined;
  return source.slice(1, -1);
}

function isSafePlainText(source: string): boolean {
  return !source.includes(": ") && !source.includes(" #") && !source.endsWith(":");
}

function wordOrText(source: string): Scalar {
  const word = source.length <= 5 ? CORE_WORDS.get(source) : undefined;
  return word === undefined ? source : word;
}

function numberOrText(source: string): Scalar | undefined {
  if (SAFE_NUMBER.test(source)) return Number(source);
  // No number has a space in it.
  const isText = source.includes(" ") ? isSafePlainText(source) : VERSION_OR_DATE.test(source);
  return isText ? source : undefined;
}

// A letter, or a character that is no YAML indicator and begins no number. Beyond ASCII nothing is special.
const SAFE_FIRST = /[A-Za-z_(/$\u00a0-\uffff]/;
const DIGIT = /[0-9]/;
const SAFE_NUMBER = /^(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,10})?$/;
const VERSION_OR_DATE = /^(?:[0-9]{1,9}\.[0-9]{1,9}\.[0-9]{1,9}|[0-9]{4}-[0-9]{2}-[0-9]{2})$/;

/** The words that YAML reads as a boolean or as null, with what they mean. */
const CORE_WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
  ...["null", "Null", "NULL"].map((word) => [word, null] as const),
]);
