import * as fc from "fast-check";

// Values and lines of front matter, good and bad, as authors and attackers write them.

const word = fc.constantFrom("name", "a", "b-c", "x_1", "true", "null", "1", "--", "你", "a b", "https", "");
const mark = fc.constantFrom(
  ": ",
  ":",
  " #",
  "#",
  "- ",
  "-",
  '"',
  "'",
  "|",
  ">",
  "[",
  "]",
  "{",
  "}",
  ",",
  "*",
  "&",
  "!",
  "%",
  "@",
  "~",
  ".",
  "\\",
  " ",
  "\u00a0",
  "\u2028",
  "\u0085",
  "\ufeff",
);
const odd = fc.array(fc.oneof(word, mark), { maxLength: 6 }).map((pieces) => pieces.join(""));
const number = fc.oneof(
  fc.double().map(String),
  fc.integer().map(String),
  fc.stringMatching(/^[0-9.eExo_+-]{1,8}$/),
);
export const anyValue = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 2, arbitrary: odd },
  number,
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "grapheme", maxLength: 6 }),
  number.map((text) => `${text} `),
  odd.map((text) => `"${text}"`),
  odd.map((text) => `'${text}'`),
);
const indent = fc.constantFrom("", "", "", " ", "  ", "  ", "    ", "\t");
export const anyLine = fc.oneof(
  fc.tuple(indent, word, anyValue).map(([space, key, text]) => `${space}${key}: ${text}`),
  fc.tuple(indent, word).map(([space, key]) => `${space}${key}:`),
  fc.tuple(indent, anyValue).map(([space, text]) => `${space}- ${text}`),
  fc.tuple(indent, anyValue).map(([space, text]) => `${space}# ${text}`),
  fc.tuple(indent, anyValue).map(([space, text]) => space + text),
  indent,
);
