/**
 * An invisible character: people do not see it and models read it, so that it may carry an instruction that nobody reviewed.
 * A character with a visible effect where it stands is not one: joiners in emoji and in Indic and Persian words, selectors of
 * emoji and ideographs, direction marks beside right-to-left letters.
 */
interface InvisibleCharacter {
  /** In UTF-16 units, as strings are indexed. */
  readonly offset: number;
  readonly codePoint: number;
  readonly kind: InvisibleKind;
}

type InvisibleKind =
  /** U+E0000–E0FFF: a whole alphabet that no font shows. */
  | "tag"
  /** Reorders the text around it, so that people read something else than models do. */
  | "bidi"
  | "zero-width"
  /** A variation selector with nothing to vary; a row of them encodes bytes. */
  | "variation-selector"
  /** A byte order mark that is not at the start. */
  | "bom"
  /** Starts sequences that terminals obey. Line breaks, tabs and form feeds are none. */
  | "control";

/** Finds the invisible characters of a text, in time linear in its length. A byte order mark at the start is not reported. */
export function findInvisibleCharacters(text: string): readonly InvisibleCharacter[] {
  if (!POSSIBLE.test(text)) return NONE;
  const found: InvisibleCharacter[] = [];
  let isRightToLeft: boolean | undefined;
  for (const { 0: match, index: offset } of text.matchAll(CANDIDATES)) {
    const codePoint = match.codePointAt(0) ?? 0;
    if (codePoint === BLACK_FLAG || isVisible(text, offset, match)) continue;
    if (isDirectionMark(codePoint) && isUsefulMark(text, offset)) {
      isRightToLeft ??= RIGHT_TO_LEFT.test(text);
      if (isRightToLeft) continue;
    }
    found.push({ offset, codePoint, kind: kindOf(codePoint) });
  }
  return found;
}

/** The text with every invisible character as a visible escape such as `\u{E0041}`, and everything else as it is. */
export function escapeInvisibleCharacters(
  text: string,
  escape: (codePoint: number) => string = visibleEscape,
): string {
  const found = findInvisibleCharacters(text);
  if (found.length === 0) return text;
  let escaped = "";
  let end = 0;
  for (const { offset, codePoint } of found) {
    escaped += text.slice(end, offset) + escape(codePoint);
    end = offset + (codePoint > 0xffff ? 2 : 1);
  }
  return escaped + text.slice(end);
}

/** A path as one line of text: a line break in a name must not begin a line of its own. */
export function visibleLine(path: string): string {
  if (PLAIN.test(path)) return path;
  return escapeInvisibleCharacters(path).replace(LINE_BREAKS, (one) => visibleEscape(one.charCodeAt(0)));
}

const PLAIN = /^[ -~]*$/;
const LINE_BREAKS = /[\t\n\f\r\u2028\u2029]/g;

function visibleEscape(codePoint: number): string {
  return `\\u{${codePoint.toString(16).toUpperCase()}}`;
}

const NONE: readonly InvisibleCharacter[] = [];

/** Unicode's "default ignorable" characters in ranges that do not depend on the version of Node, and controls. */
const IN_FIRST_PLANE =
  "\\0-\\x08\\v\\x0e-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb";
const IGNORABLE = `${IN_FIRST_PLANE}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}`;
/** Tests for `IGNORABLE` by UTF-16 units, any high surrogate that may begin one included: several times as fast as `u`. */
const POSSIBLE = /* @__PURE__ */ new RegExp(`[${IN_FIRST_PLANE}\\ud82f\\ud834\\udb40-\\udb43]`);
/** England, Scotland and Wales: the only tag sequences that fonts draw. Any other tag after the black flag is invisible. */
const FLAGS =
  "\\u{1f3f4}\\u{e0067}\\u{e0062}(?:\\u{e0065}\\u{e006e}\\u{e0067}|\\u{e0073}\\u{e0063}\\u{e0074}|\\u{e0077}\\u{e006c}\\u{e0073})\\u{e007f}";
const BLACK_FLAG = 0x1f3f4;
const CANDIDATE = /* @__PURE__ */ new RegExp(`[${IGNORABLE}]`, "u");
const CANDIDATES = /* @__PURE__ */ new RegExp(`${FLAGS}|[${IGNORABLE}]`, "gu");

function kindOf(codePoint: number): InvisibleKind {
  if (codePoint < 0xa0) return "control";
  if (codePoint === 0xfeff) return "bom";
  if (
    isDirectionMark(codePoint) ||
    isBetween(codePoint, 0x202a, 0x202e) ||
    isBetween(codePoint, 0x2066, 0x2069)
  )
    return "bidi";
  if (isBetween(codePoint, 0xfe00, 0xfe0f) || isBetween(codePoint, 0xe0100, 0xe01ef))
    return "variation-selector";
  return codePoint >= 0xe0000 ? "tag" : "zero-width";
}

/** Whether a candidate has an effect that people see, judged by its neighbours. Of several in a row, at most one has. */
function isVisible(text: string, offset: number, match: string): boolean {
  const codePoint = match.codePointAt(0) ?? 0;
  if (codePoint === 0xfeff) return offset === 0;
  if (codePoint < 0xa0) return false;
  const before = characterBefore(text, offset);
  const after = characterAt(text, offset + match.length);
  if (codePoint === 0x200d && isEmojiBefore(text, offset, before) && PICTOGRAPH.test(after)) return true;
  if (CANDIDATE.test(before)) return false;
  if (codePoint === 0x200c || codePoint === 0x200d) return JOINING.test(before);
  if (isBetween(codePoint, 0xfe0e, 0xfe0f)) return EMOJI_OR_SYMBOL.test(before);
  if (isBetween(codePoint, 0xfe00, 0xfe0d)) return VARIED.test(before);
  if (isBetween(codePoint, 0xe0100, 0xe01ef)) return IDEOGRAPH.test(before);
  if (isBetween(codePoint, 0x180b, 0x180f)) return MONGOLIAN.test(before);
  if (CANDIDATE.test(after)) return false;
  switch (codePoint) {
    case 0xad:
      return LETTER.test(before) && LETTER.test(after);
    case 0x034f:
      return LETTER_OR_MARK.test(before) && MARK.test(after);
    case 0x115f:
      return /[\u1161-\u11a7]/.test(after);
    case 0x1160:
      return /[\u1100-\u115e]/.test(before);
    default:
      return false;
  }
}

/** Built by calls that a bundler may leave out: the start script imports this file and needs none of it. */
/* @__NO_SIDE_EFFECTS__ */
function pattern(source: string): RegExp {
  return new RegExp(source, "u");
}

/** Without the Arabic letter mark, which has the script and is no letter. */
/* @__NO_SIDE_EFFECTS__ */
function lettersOf(scripts: string): RegExp {
  return pattern(`(?!\\u061c)[${scripts.replace(/\w+/g, "\\p{Script=$&}").replaceAll(" ", "")}]`);
}

const PICTOGRAPH = pattern("\\p{Extended_Pictographic}");
const EMOJI_PART = pattern("[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]");
const EMOJI_OR_SYMBOL = pattern("[\\p{Emoji}\\p{S}]");
/** Symbols and letters with standardised variants; never ASCII, in which a selector can only hide something. */
const VARIED = pattern("[^\\0-\\x7f\\P{S}]|[^\\0-\\x7f\\P{L}]");
const IDEOGRAPH = pattern("\\p{Ideographic}");
const LETTER = pattern("\\p{L}");
const MARK = pattern("\\p{M}");
const LETTER_OR_MARK = pattern("[\\p{L}\\p{M}]");
const MONGOLIAN = lettersOf("Mongolian");
/** The scripts in which a joiner or non-joiner changes how a word looks. */
const JOINING = lettersOf(
  "Arabic Syriac Mandaic Nko Mongolian Phags_Pa Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Tibetan Thai Lao Balinese Javanese Adlam",
);
const RIGHT_TO_LEFT = lettersOf("Arabic Hebrew Syriac Thaana Nko Adlam");

function isEmojiBefore(text: string, offset: number, before: string): boolean {
  if (before !== "\ufe0f") return EMOJI_PART.test(before);
  return EMOJI_OR_SYMBOL.test(characterBefore(text, offset - 1));
}

/** One mark beside text, in a text that is at least partly written from right to left. */
function isUsefulMark(text: string, offset: number): boolean {
  return !CANDIDATE.test(characterBefore(text, offset)) && !CANDIDATE.test(characterAt(text, offset + 1));
}

/** LRM, RLM and ALM. */
const isDirectionMark = (codePoint: number): boolean =>
  codePoint === 0x200e || codePoint === 0x200f || codePoint === 0x061c;

const isBetween = (codePoint: number, first: number, last: number): boolean =>
  codePoint >= first && codePoint <= last;

/** The whole character that ends before `offset`; empty at the start. */
function characterBefore(text: string, offset: number): string {
  const unit = text.charCodeAt(offset - 1);
  return text.slice(Math.max(0, offset - (unit >= 0xdc00 && unit <= 0xdfff ? 2 : 1)), offset);
}

function characterAt(text: string, offset: number): string {
  return String.fromCodePoint(...[text.codePointAt(offset)].filter((codePoint) => codePoint !== undefined));
}

/** Text cut to at most `max` UTF-16 units, ending in `…`, at a word where one is near, never inside a character. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  if (max <= 1) return "…".slice(0, max);
  let end = max - 1;
  if (isHighSurrogate(text.charCodeAt(end - 1))) end--;
  const space = text.lastIndexOf(" ", end);
  if (space > end * 0.6) end = space;
  return `${text.slice(0, end).trimEnd()}…`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** A text from a file, without anything that would end its line or move a cursor. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, " ");
}
