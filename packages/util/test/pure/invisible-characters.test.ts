import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { codePoint } from "../../../../test/support/code-point.ts";
import { rounds } from "../../../../test/support/rounds.ts";
import {
  escapeInvisibleCharacters,
  findInvisibleCharacters,
  visibleLine,
} from "../../src/pure/shown-text.ts";

/** Text as tag characters, which no font shows and models read. */
const asTags = (text: string): string =>
  String.fromCodePoint(...Array.from(text, (letter) => 0xe0000 + (letter.codePointAt(0) ?? 0)));

const kindsIn = (text: string): readonly string[] => findInvisibleCharacters(text).map(({ kind }) => kind);

describe("hidden characters are found", () => {
  test.each([
    ["a tag character", "a\u{E0041}b", ["tag"]],
    ["a sentence in tag characters", `Fills forms.${asTags("run it")}`, Array(6).fill("tag")],
    ["the first character of the tags", "a\u{E0000}", ["tag"]],
    ["the language tag", "a\u{E0001}", ["tag"]],
    ["unassigned characters behind the tags", "a\u{E0080}\u{E0FFF}", ["tag", "tag"]],
    ["tags after a black flag that is no country's", `🏴${asTags("hide")}\u{E007F}`, Array(5).fill("tag")],
    ["a country's flag without an end", `🏴${asTags("gbeng")}`, Array(5).fill("tag")],
    ["tags after a country's flag", `🏴${asTags("gbeng")}\u{E007F}\u{E0041}`, ["tag"]],
    ["a right-to-left override", "evil\u202Etxt.exe", ["bidi"]],
    ["embeddings and isolates", "\u202Aa\u202C\u2066b\u2069", Array(4).fill("bidi")],
    ["isolates around right-to-left letters", "\u2067שלום\u2069", ["bidi", "bidi"]],
    ["a direction mark in Latin text", "a\u200Fb", ["bidi"]],
    ["an Arabic letter mark in Latin text", "a\u061Cb", ["bidi"]],
    ["two kinds of marks in Latin text", "a\u061Cb\u200Fc", ["bidi", "bidi"]],
    ["two Arabic letter marks", "سلام\u061C\u061C", ["bidi", "bidi"]],
    ["two direction marks", "שלום\u200E\u200F", ["bidi", "bidi"]],
    ["a row of direction marks", "שלום\u200E\u200F\u200E", Array(3).fill("bidi")],
    ["a zero width space", "ig\u200Bnore", ["zero-width"]],
    ["a zero width space between ideographs", "漢\u200B字", ["zero-width"]],
    ["a word joiner and invisible operators", "a\u2060\u2061\u2062\u2063\u2064", Array(5).fill("zero-width")],
    ["joiners between Latin letters", "a\u200Db\u200Cc", ["zero-width", "zero-width"]],
    ["a joiner after an emoji alone", "👩\u200D", ["zero-width"]],
    ["a joiner between an emoji and a letter", "👩\u200Da", ["zero-width"]],
    ["a zero width space before an emoji", "a\u200B😀", ["zero-width"]],
    ["a zero width space between emoji", "👩\u200B💻", ["zero-width"]],
    ["a non-joiner after an emoji behind a letter", "م👩\u200C", ["zero-width"]],
    ["a joiner after a letter with a selector", "a\uFE0F\u200D🔥", ["variation-selector", "zero-width"]],
    ["a second Mongolian vowel separator", "ᠠ\u180E\u180E", ["zero-width"]],
    ["a second joiner in a Persian word", "می\u200C\u200Cخواهم", ["zero-width"]],
    ["a soft hyphen at the end of a word", "word\u00AD ", ["zero-width"]],
    ["a combining grapheme joiner between letters", "a\u034Fb", ["zero-width"]],
    ["a soft hyphen before a filler", "a\u00AD\u3164", ["zero-width", "zero-width"]],
    ["a grapheme joiner before a selector", "a\u034F\uFE01", ["zero-width", "variation-selector"]],
    ["Hangul fillers", "\u3164\uFFA0a\u115F", Array(3).fill("zero-width")],
    ["Khmer inherent vowels", "ក\u17B4", ["zero-width"]],
    ["deprecated format characters", "a\u206A\u206F", ["zero-width", "zero-width"]],
    ["annotation characters", "\uFFF9a\uFFFAb\uFFFB", Array(3).fill("zero-width")],
    ["musical and shorthand format characters", "\u{1D173}\u{1BCA0}", ["zero-width", "zero-width"]],
    [
      "bytes in variation selectors after an emoji",
      "😀\uFE01\u{E0101}\u{E0110}",
      ["variation-selector", "variation-selector"],
    ],
    ["a selector after a Latin letter", "a\uFE01", ["variation-selector"]],
    ["an emoji selector after a letter", "a\uFE0F", ["variation-selector"]],
    ["an emoji selector after a letter behind an emoji", "❤a\uFE0F", ["variation-selector"]],
    ["a second emoji selector", "❤\uFE0F\uFE0F", ["variation-selector"]],
    ["an ideographic selector after an emoji", "😀\u{E0100}", ["variation-selector"]],
    ["a byte order mark in the middle", "a\uFEFFb", ["bom"]],
    ["a second byte order mark", "\uFEFF\uFEFFa", ["bom"]],
    ["an escape sequence", "\u001B[8mhidden\u001B[0m", ["control", "control"]],
    ["C1 controls, delete and NUL", "\u009B8m\u0085\u007F\0", Array(4).fill("control")],
  ])("%s", (_, text, kinds) => {
    expect(kindsIn(text)).toStrictEqual(kinds);
  });
});

describe("text as people write it has no hidden characters", () => {
  test.each([
    ["plain text with tabs, line breaks and a form feed", "a\tb\r\nc\n\f"],
    ["a byte order mark at the start", "\uFEFF---\nname: a"],
    ["a family", "👨\u200D👩\u200D👧\u200D👦"],
    ["skin tones and joiners", "👩🏽\u200D💻 🧑🏿\u200D🤝\u200D🧑🏻"],
    ["an emoji whose second half is the first of its range", "🐀\u200D💻"],
    ["selectors before joiners", "❤\uFE0F\u200D🔥 🏳\uFE0F\u200D🌈 👁\uFE0F\u200D🗨\uFE0F 🏃\u200D♀\uFE0F"],
    ["keycaps", "1\uFE0F\u20E3 #\uFE0F\u20E3 *\uFE0F\u20E3"],
    ["text and emoji forms of symbols", "☎\uFE0E ☎\uFE0F ✓\uFE0F ©\uFE0F →\uFE0F"],
    ["flags of countries", "🇩🇪 🇯🇵"],
    ["England, Scotland and Wales", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁷󠁬󠁳󠁿"],
    ["a pirate flag", "🏴\u200D☠\uFE0F"],
    ["Chinese, Japanese and Korean", "处理 PDF 文件、表單。カタカナ ひらがな 한국어"],
    ["variants of ideographs", "葛\u{E0100}城市 辻\u{E0101} 﨑\uFE00"],
    ["old Korean with fillers", "\u115F\u1161 \u1100\u1160\u11A8"],
    ["accents, composed and decomposed", "éèüñ ễ e\u0301 n\u0303 Tiếng Việt"],
    ["a grapheme joiner between marks", "a\u0308\u034F\u0301"],
    ["a soft hyphen in a word", "Donau\u00ADdampf\u00ADschiff"],
    ["Arabic, Hebrew and Persian", "مرحبا بالعالم שלום עולם می\u200Cخواهم نامه\u200Cای ه\u200D"],
    ["a direction mark beside right-to-left letters", "שלום C++\u200E עולם"],
    ["joiners in Indic words", "क्\u200Dष क्\u200Cष ক্\u200Dষ ශ්\u200Dරී മലയാളം\u200C ന്\u200D"],
    ["a non-joiner in Khmer and Burmese", "ក\u200Cខ မြန်\u200Cမာ"],
    ["a Mongolian vowel separator", "ᠨᠠᠭ\u180Eᠠ ᠭ\u180B"],
    ["mathematics", "∩\uFE00 ≨\uFE00 ∑ x² → ∞"],
    ["Braille and private use", "⠋⠙⠹\u2800 \uE0B0"],
    ["a lone surrogate", "a\uD800b\uDC00"],
  ])("%s", (_, text) => {
    expect(findInvisibleCharacters(text)).toStrictEqual([]);
    expect(escapeInvisibleCharacters(text)).toBe(text);
  });
});

test("an escape is visible, names the character and leaves everything else as it is", () => {
  const text = `a${asTags("A")}b\u200Bc👩\u200D💻\u202Ed\u001B`;
  expect(escapeInvisibleCharacters(text)).toBe("a\\u{E0041}b\\u{200B}c👩\u200D💻\\u{202E}d\\u{1B}");
});

test.each([
  ["/skills/pdf", "/skills/pdf"],
  ["/skills/café 😀", "/skills/café 😀"],
  ["/skills/two\nlines", "/skills/two\\u{A}lines"],
  ["/a\tb\r\f", "/a\\u{9}b\\u{D}\\u{C}"],
  ["/a\u2028b\u2029", "/a\\u{2028}b\\u{2029}"],
  ["/a\u200Bb\u001B", "/a\\u{200B}b\\u{1B}"],
])("the path %j is one visible line: %s", (path, line) => {
  expect(visibleLine(path)).toBe(line);
});

const pieces = fc.constantFrom(
  ...["a", " ", "\n", "é", "漢", "ش", "क", "्", "👩", "❤", "🏽", "1", "\u20E3", "🏴", "\uD800", "\\u{200B}"],
  ...["\u200B", "\u200C", "\u200D", "\uFE0F", "\uFE01", "\u{E0100}", "\u200F", "\u202E", "\uFEFF", "\u001B"],
  ...["\u{E0067}", "\u{E0062}", "\u{E007F}", asTags("gbeng"), "\u00AD", "\u034F", "\u1160"],
);
const anyText = fc.oneof(
  fc.string({ unit: pieces, maxLength: 30 }),
  fc.string({ unit: codePoint }),
  fc.string({ unit: "grapheme" }),
);

test("an escaped text has no hidden characters, and unescaping what was found gives back the text", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const found = findInvisibleCharacters(text);
      expect(findInvisibleCharacters(escapeInvisibleCharacters(text))).toStrictEqual([]);
      let rest = escapeInvisibleCharacters(text);
      let original = "";
      let end = 0;
      for (const { offset, codePoint } of found) {
        const plain = text.slice(end, offset);
        const escape = `\\u{${codePoint.toString(16).toUpperCase()}}`;
        expect(rest.startsWith(plain + escape)).toBe(true);
        expect(text.codePointAt(offset)).toBe(codePoint);
        original += plain + String.fromCodePoint(codePoint);
        rest = rest.slice(plain.length + escape.length);
        end = original.length;
      }
      expect(original + rest).toBe(text);
    }),
    rounds(700),
  );
});

test("no text in tag characters is left readable, wherever it stands", () => {
  fc.assert(
    fc.property(anyText, fc.string({ unit: "grapheme-ascii", minLength: 1 }), (around, secret) => {
      const escaped = escapeInvisibleCharacters(`${around}${asTags(secret)}${around}`);
      const left = escaped.replaceAll(/🏴[\u{E0061}-\u{E007A}]{5}\u{E007F}/gu, "");
      expect(left).not.toMatch(/[\u{E0000}-\u{E007F}]/u);
    }),
    rounds(400),
  );
});

test("a long hostile text is escaped: what each character needs is near it", () => {
  const hostile = "👩\u200D\uFE0F\u200F🏴\u{E0067}";
  const escaped = escapeInvisibleCharacters(hostile);
  expect(escapeInvisibleCharacters(hostile.repeat(100_000))).toBe(escaped.repeat(100_000));
});
