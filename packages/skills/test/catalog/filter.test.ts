import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../../test/support/refused.ts";
import { parseFilterTokens, parseIncludes, passesFilter } from "../../src/catalog/filter.ts";
import type { Skill } from "../../src/skill/skill.ts";
import { fromPlugin, plain } from "./entries.ts";

const PROVIDERS: ReadonlySet<string> = new Set(["file", "agents", "claude", "codex"]);

const SKILLS: Readonly<Record<string, Skill>> = {
  "claude pdf": plain("claude", "pdf"),
  "claude Git": plain("claude", "Git"),
  "codex pdf": plain("codex", "pdf"),
  "codex pdf-forms": plain("codex", "pdf-forms"),
  "office pdf": fromPlugin("office", "pdf"),
  "office docx": fromPlugin("office", "docx"),
  "Tools pdf": fromPlugin("Tools", "pdf", { plugin: { name: "Tools" } }),
};

function passing(
  include: readonly string[],
  exclude: readonly string[] = [],
  narrowTo: readonly string[] = [],
): readonly string[] {
  const filter = {
    include: parseIncludes(include, PROVIDERS),
    narrowTo: parseIncludes(narrowTo, PROVIDERS),
    exclude: parseFilterTokens(exclude, PROVIDERS),
  };
  return Object.keys(SKILLS).filter((key) => {
    const skill = SKILLS[key];
    return skill !== undefined && passesFilter(filter, skill);
  });
}

const CLAUDE = ["claude pdf", "claude Git", "office pdf", "office docx", "Tools pdf"];
const CODEX = ["codex pdf", "codex pdf-forms"];
const PLUGINS = ["office pdf", "office docx", "Tools pdf"];
const OFFICE = ["office pdf", "office docx"];

describe("a token picks", () => {
  test.each<[string, readonly string[]]>([
    ["codex", CODEX],
    ["CODEX", CODEX],
    ["claude", CLAUDE],
    ["agents", []],
    ["codex:pdf", ["codex pdf"]],
    ["codex:pdf*", CODEX],
    ["codex:*", CODEX],
    ["codex:p?f", ["codex pdf"]],
    ["claude:git", ["claude Git"]],
    ["claude:office:pdf", ["office pdf"]],
    ["@plugins", PLUGINS],
    ["@PLUGINS", PLUGINS],
    ["@plugins:pdf", ["office pdf", "Tools pdf"]],
    ["@office", OFFICE],
    ["@Office", OFFICE],
    ["@off*", OFFICE],
    ["@tools", ["Tools pdf"]],
    ["@office@market", OFFICE],
    ["@office@other", []],
    ["@office:pdf", ["office pdf"]],
    ["@office:*", OFFICE],
    ["@office@market:d*", ["office docx"]],
    ["@nothing", []],
    ["pdf", ["claude pdf", "codex pdf", "office pdf", "Tools pdf"]],
    ["PDF", ["claude pdf", "codex pdf", "office pdf", "Tools pdf"]],
    ["git", ["claude Git"]],
    ["pdf-*", ["codex pdf-forms"]],
    ["office:docx", ["office docx"]],
    ["office:*", OFFICE],
    ["*", Object.keys(SKILLS)],
    ["p?", []],
    ["nothing", []],
  ])("%s → %j", (token, picked) => {
    expect(passing([token])).toEqual(picked);
    const rest = Object.keys(SKILLS).filter((key) => !picked.includes(key));
    expect(passing([], [token])).toEqual(rest);
  });
});

test("N2: --include picks one of two skills and --exclude the other", () => {
  const pdf = plain("claude", "pdf");
  const git = plain("claude", "git");
  const only = { include: parseFilterTokens(["pdf"], PROVIDERS), exclude: [] };
  const without = { include: [], exclude: parseFilterTokens(["pdf"], PROVIDERS) };
  expect([pdf, git].filter((skill) => passesFilter(only, skill))).toEqual([pdf]);
  expect([pdf, git].filter((skill) => passesFilter(without, skill))).toEqual([git]);
});

test("a word that is a provider and the name of a skill means both", () => {
  const skills = [plain("git", "pdf"), plain("claude", "git"), plain("claude", "codex")];
  const picked = (token: string) => {
    const include = parseFilterTokens([token], new Set(["git", "codex", "claude"]));
    return skills.filter((skill) => passesFilter({ include, exclude: [] }, skill)).map(({ name }) => name);
  };
  expect(picked("git")).toEqual(["pdf", "git"]);
  expect(picked("git:p*")).toEqual(["pdf"]);
  expect(picked("codex")).toEqual(["codex"]);
});

test.each<[string, string[], string[], readonly string[]]>([
  ["no tokens let everything pass", [], [], Object.keys(SKILLS)],
  ["several includes add up", ["codex", "@office"], [], [...CODEX, ...OFFICE]],
  ["a comma list is several tokens", ["codex, @office"], [], [...CODEX, ...OFFICE]],
  ["excludes come after includes", ["codex"], ["pdf"], ["codex pdf-forms"]],
  ["an exclude wins over the same include", ["codex:pdf"], ["codex:pdf"], []],
  ["excludes alone take from everything", [], ["@plugins", "claude"], CODEX],
  ["plugins can be told from their provider's own", ["claude"], ["@plugins"], ["claude pdf", "claude Git"]],
])("%s", (_, include, exclude, picked) => {
  expect(passing(include, exclude)).toEqual(picked);
});

test.each([
  ["codex:@plugins", "codex:@plugins"],
  ["Claude:@office", "Claude:@office"],
  ["codex:", "codex:"],
  [":pdf", ":pdf"],
  ["@", "@"],
  ["@:pdf", "@:pdf"],
  ["@office:", "@office:"],
  ["@@office", "@@office"],
  ["", ""],
  ["  ", ""],
  ["pdf,,git", ""],
  ["pdf,", ""],
  ["pdf, codex:@plugins", "codex:@plugins"],
])("the filter '%s' is refused with a message that names '%s'", (list, token) => {
  const refusal = refusalOf(() => parseFilterTokens([list], PROVIDERS));
  expect(refusal.detail).toEqual({ code: "bad-filter", token });
  expect(refusal.message).toContain(`'${token}'`);
  expect(refusal.message).not.toContain("\n");
});

test.each([
  ["codex:a:b", { kind: "provider", provider: "codex", glob: "a:b" }],
  ["@office:a:b", { kind: "plugin", plugin: "office", glob: "a:b" }],
  ["office:a:b", { kind: "name", glob: "office:a:b" }],
])("only the first colon of %s ends a prefix: a name may contain others", (token, parsed) => {
  expect(parseFilterTokens([token], PROVIDERS)).toEqual([parsed]);
});

test.each(["all", "auto", "ALL"])("%s includes everything, beside other tokens too", (token) => {
  expect(passing([token])).toEqual(Object.keys(SKILLS));
  expect(passing([`codex,${token}`], ["@plugins"])).toEqual(["claude pdf", "claude Git", ...CODEX]);
});

test.each<[readonly string[], readonly string[], readonly string[]]>([
  [["codex"], ["pdf"], ["codex pdf"]],
  [["codex"], ["claude"], []],
  [[], ["codex"], CODEX],
  [["codex"], ["all"], CODEX],
])("%j narrowed to %j", (include, narrowTo, expected) => {
  expect(passing(include, [], narrowTo)).toEqual(expected);
});
