import * as fc from "fast-check";
import { CORE_SCHEMA, load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { rounds } from "../../../../../test/support/rounds.ts";
import { readPlain } from "../../../src/skill/front-matter/fields.ts";
import { anyLine, anyValue } from "./any-block.ts";

function yaml(block: string): unknown {
  // js-yaml has no value for a block without any; to this reader it is an empty map.
  if (block.split(/[\r\n]/).every((line) => /^ *(?:#.*)?$/s.test(line))) return {};
  return load(block, { schema: CORE_SCHEMA, maxDepth: 32, maxAliases: 0 });
}

describe("what the plain reader answers itself", () => {
  test.each([
    ["name: pdf\ndescription: Reads files."],
    ["name: pdf # not here".replace(" #", "#")],
    ['a: "quoted: yes"\nb: \'single # too\'\nc: ""'],
    ["a: true\nb: False\nc: null\nd:\ne: 12\nf: 1.50\ng: 1.2.3\nh: 2024-01-31\ni: 3D files"],
    ["tags:\n  - a\n  - b c\nallowed-tools:\n- Read\n- Bash(git:*)"],
    ["metadata:\n  author: me\n  version: '1'\n\n# comment\nlicense: MIT"],
    ["metadata:\n    # comment\n    author: me\n  # comment"],
    ["a: http://example.com/a#b\nb: what? [yes], {no}, *maybe*"],
    ["a: b  \nc:   d\ne:  "],
    ["a:\n  b:  c \n  d: 'e' "],
    ["a:\n-   b \n- 12\n- true"],
    ["\n  \n# comment\n  # comment\na: b"],
    ["a: 你好：世界\nb: 😀 smile\nc: “quoted”"],
  ])("%j", (block) => {
    expect(readPlain(block)).toBeDefined();
    expect(readPlain(block)).toEqual(yaml(block));
  });
});

describe("what it leaves to YAML", () => {
  test.each([
    ["a: b: c"],
    ["a: b #c"],
    ["a: b:"],
    ["a: *b"],
    ["a: &b c"],
    ["a: !b c"],
    ["a: [b]"],
    ["a: {b: c}"],
    ["a: |\n  b"],
    ["a: b\n  c"],
    ['a: "b\\n"'],
    ['a: "b" c'],
    ["a: 'it''s'"],
    ["a:\tb"],
    ["a: 0x1F"],
    ["a: 1e3"],
    ["a: .inf"],
    ["a: ~"],
    ["a: b\na: c"],
    ["a:\n  b: c\n  b: d"],
    ["a:\n  b: c\n   d: e"],
    ["a:\n  - b\n  c: d"],
    ["a:\n  - b: c"],
    ["a:\n  b:\n    c: d"],
    ["a:\n  -b"],
    ["a:\n  -"],
    ["a:\n  - "],
    ["a:\n  - null"],
    ["a:\n  - [b]"],
    ["a:\n  b: c\n  - d"],
    ["a:\n  - b\n    - c"],
    ["a:\n  - b\n - c"],
    ["a:\n  b:"],
    ["a:\n  text"],
    ["a: b\n  c: d"],
    ["a: b\n- c"],
    ["  a: b"],
    ["a:b"],
    ["1a: b"],
    ["é: b"],
    ['a: "'],
    ["true: a"],
    ["__proto__: a"],
    ["just text"],
    ["- a"],
    ["a: \ud800"],
    ["a: \0"],
  ])("%j", (block) => {
    expect(readPlain(block)).toBeUndefined();
  });
});

describe("whenever it answers, YAML says the same", () => {
  const agrees = (block: string) => {
    const plain = readPlain(block);
    if (plain !== undefined) expect(plain).toEqual(yaml(block));
    return plain !== undefined;
  };
  const breaks = fc.constantFrom("\n", "\r\n", "\r");

  test("on blocks of every shape", () => {
    fc.assert(
      fc.property(fc.array(anyLine, { maxLength: 6 }), breaks, (lines, end) => {
        agrees(lines.join(end));
      }),
      rounds(2_000),
    );
  });

  test("on single values, many of which it reads", () => {
    let answered = 0;
    fc.assert(
      fc.property(anyValue, (text) => {
        if (agrees(`key: ${text}`)) answered++;
      }),
      rounds(1_000),
    );
    expect(answered).toBeGreaterThan(200);
  });

  test("on well-formed blocks, nearly all of which it reads", () => {
    const key = fc.stringMatching(/^[a-z][a-z-]{0,8}$/);
    const text = fc.stringMatching(/^[A-Za-z][\w ,.()/]{0,30}[a-z.]$/);
    const field = fc.oneof(
      text.map((one) => ` ${one}`),
      text.map((one) => ` "${one}"`),
      fc
        .array(text, { minLength: 1, maxLength: 3 })
        .map((items) => items.map((item) => `\n  - ${item}`).join("")),
      fc
        .uniqueArray(key, { minLength: 1, maxLength: 3 })
        .chain((keys) => fc.tuple(...keys.map((one) => text.map((two) => `\n  ${one}: ${two}`))))
        .map((entries) => entries.join("")),
    );
    const { numRuns } = rounds(500);
    let answered = 0;
    const block = fc.dictionary(key, field, { minKeys: 1, maxKeys: 5, noNullPrototype: true });
    fc.assert(
      fc.property(block, (fields) => {
        if (
          agrees(
            Object.entries(fields)
              .map(([name, source]) => `${name}:${source}`)
              .join("\n"),
          )
        )
          answered++;
      }),
      { numRuns },
    );
    expect(answered).toBeGreaterThan(0.9 * numRuns);
  });
});
