import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Refusal } from "#util/pure";
import { rounds } from "../../../../test/support/rounds.ts";
import {
  type EntryPlace,
  type FormatName,
  insertEntry,
  readEntry,
  removeEntry,
  updateEntry,
} from "../../src/documents/document.ts";

const ENTRY = { command: "npx", args: ["-y", "skills-mcp"] };
const OTHER = { command: "npx", args: ["-y", "skills-mcp", "--include", "pdf"] };

/** Blanks and comments, as they may stand between two tokens of JSON. */
const trivia = fc
  .array(
    fc.constantFrom(
      " ",
      "\t",
      "\n",
      "\n\n",
      "  ",
      "/* a, {b} */",
      '// it\'s "one", {\n',
      "/* two\n lines */",
    ),
    {
      maxLength: 3,
    },
  )
  .map((parts) => parts.join(""));

/** A JSON value, written with arbitrary blanks, comments and trailing commas. */
function written(value: unknown, [gap, comma]: readonly [() => string, () => boolean]): string {
  const join = (open: string, parts: readonly string[], close: string) =>
    open +
    parts.map((part) => gap() + part + gap()).join(",") +
    (parts.length > 0 && comma() ? `,${gap()}` : gap()) +
    close;
  if (Array.isArray(value))
    return join(
      "[",
      value.map((item) => written(item, [gap, comma])),
      "]",
    );
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(
    ([key, inner]) => `${JSON.stringify(key)}${gap()}:${gap()}${written(inner, [gap, comma])}`,
  );
  return join("{", parts, "}");
}

const names = fc.oneof(
  fc.constantFrom("other", "a b", "mcp", "servers", "__proto__"),
  fc.string({ maxLength: 5 }),
);
const values = fc.oneof(fc.string({ maxLength: 5 }), fc.integer(), fc.boolean(), fc.constant(null));
const maps = fc.dictionary(
  names.filter((name) => name !== "skills"),
  fc.oneof(values, fc.array(values, { maxLength: 2 }), fc.dictionary(names, values, { maxKeys: 2 })),
  { maxKeys: 3 },
);

const jsonText = fc
  .tuple(
    maps,
    fc.option(maps),
    fc.infiniteStream(trivia),
    fc.infiniteStream(fc.boolean()),
    fc.constantFrom("\n", "\r\n"),
  )
  .map(([others, servers, gaps, commas, eol]) => {
    const document = servers === null ? others : { ...others, mcpServers: servers };
    const gap = (): string => gaps.next().value as string;
    const comma = (): boolean => commas.next().value as boolean;
    return (gap() + written(document, [gap, comma]) + gap()).replaceAll("\n", eol);
  });

/** Lists of hooks, as several agents have them. */
const hooks = fc.dictionary(
  fc.constantFrom("Before", "After"),
  fc.array(fc.oneof(values, fc.dictionary(names, values, { maxKeys: 2 })), { maxLength: 3 }),
);

const hooksText = fc
  .tuple(maps, fc.option(hooks), fc.infiniteStream(trivia), fc.infiniteStream(fc.boolean()), fc.boolean())
  .map(([others, lists, gaps, commas, isPretty]) => {
    const document = lists === null ? others : { ...others, hooks: lists };
    if (isPretty) return JSON.stringify(document, undefined, 2);
    const gap = (): string => gaps.next().value as string;
    const comma = (): boolean => commas.next().value as boolean;
    return gap() + written(document, [gap, comma]) + gap();
  });

const prettyJson = fc
  .tuple(
    maps,
    fc.option(maps),
    fc.constantFrom("  ", "    ", "\t", "", " "),
    fc.constantFrom("", "\n", "\r\n"),
  )
  .map(([others, servers, indent, end]) => {
    const text = JSON.stringify(
      servers === null ? others : { ...others, mcpServers: servers },
      undefined,
      indent,
    );
    return (end === "\r\n" ? text.replaceAll("\n", end) : text) + end;
  });

const JSON_PLACE: EntryPlace = { keys: ["mcpServers"], name: "skills", inList: false };
const HOOK_PLACE: EntryPlace = {
  keys: ["hooks", "Before"],
  name: "skills",
  inList: true,
  atEnd: true,
  isEntry: ({ command, args }) => command === "npx" && Array.isArray(args),
};
const TOML_PLACE: EntryPlace = { keys: ["mcp_servers"], name: "skills", inList: false };
const YAML_PLACE: EntryPlace = { keys: ["extensions"], name: "skills", inList: false };
const LIST_PLACE: EntryPlace = { keys: ["mcpServers"], name: "skills", inList: true };

const tomlLines = fc.array(
  fc.constantFrom(
    "# [mcp_servers.skills]",
    'model = "x"',
    "",
    "  ",
    "[mcp_servers.other]",
    '[mcp_servers."a.b"]',
    'command = "npx" # why',
    'text = """',
    "[mcp_servers.skills]",
    '"""',
    "list = [",
    "  1, 2,",
    "]",
    "[[profiles]]",
    "day = 1979-05-27",
    "[tui]",
    "mcp_servers = {}",
    "mcp_servers.dotted.command = 'y'",
  ),
  { maxLength: 8 },
);

const yamlLines = fc.array(
  fc.constantFrom(
    "# extensions:",
    "extensions:",
    "extensions: {}",
    "extensions: # none",
    "extensions: {a: {b: 1}}",
    "  developer:",
    "    enabled: true",
    "    type: builtin # comment",
    "",
    "  # a comment",
    "    developer:",
    "GOOSE_MODE: auto",
    "text: |",
    "  extensions:",
    "    skills:",
    "list:",
    "- a",
    "  - b: 1",
    "---",
    "...",
    "\tx: 1",
  ),
  { maxLength: 8 },
);

const listLines = fc.array(
  fc.constantFrom(
    "name: Local",
    "mcpServers:",
    "mcpServers: []",
    "- name: other",
    "  command: x",
    "  - name: another",
    "    command: y",
    "# comment",
    "  # comment",
    "",
    "models:",
    "  - name: skills",
  ),
  { maxLength: 8 },
);

const asText = (lines: fc.Arbitrary<readonly string[]>) =>
  fc
    .tuple(lines, fc.constantFrom("\n", "\r\n"), fc.boolean(), fc.boolean())
    .map(([all, eol, ends, bom]) => (bom ? "\uFEFF" : "") + all.join(eol) + (ends ? eol : ""));

interface Outcome {
  readonly edited: boolean;
}

/** Everything that must hold for one document, whether it can be edited or is refused. */
function check(text: string, format: FormatName, place: EntryPlace): Outcome {
  const entry = place.inList ? { name: place.name, ...ENTRY } : ENTRY;
  try {
    if (readEntry(text, format, place) !== undefined) return { edited: false };
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    return { edited: false };
  }
  let inserted: ReturnType<typeof insertEntry>;
  try {
    inserted = insertEntry(text, format, place, entry);
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    return { edited: false };
  }
  expect(readEntry(inserted.text, format, place)).toEqual(entry);
  expect(removeEntry(inserted.text, format, place, inserted.undo)).toBe(text);
  const other = { ...entry, ...OTHER };
  const updated = updateEntry(inserted.text, format, place, other);
  expect(readEntry(updated, format, place)).toEqual(other);
  expect(removeEntry(updated, format, place, inserted.undo)).toBe(text);
  return { edited: true };
}

describe("inserting and removing an entry leaves the same bytes", () => {
  test.each([
    ["JSON with comments and odd blanks", jsonText, "json", JSON_PLACE, 1],
    ["formatted JSON", prettyJson, "json", JSON_PLACE, 1],
    ["lists of JSON", hooksText, "json", HOOK_PLACE, 0.8],
    ["TOML", asText(tomlLines), "toml", TOML_PLACE, 0.1],
    ["YAML", asText(yamlLines), "yaml", YAML_PLACE, 0.1],
    ["YAML with a list", asText(listLines), "yaml", LIST_PLACE, 0.1],
  ] as const)("in %s", (_what, texts, format, place, share) => {
    let [edited, all] = [0, 0];
    fc.assert(
      fc.property(texts, (text) => {
        all++;
        if (check(text, format, place).edited) edited++;
      }),
      rounds(40),
    );
    expect(edited / all).toBeGreaterThanOrEqual(share);
  });
});
