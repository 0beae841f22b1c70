import { expect, test } from "vitest";
import { refusalOf } from "../../../../../test/support/refused.ts";
import { DEFAULT_TOOLS, instructionsFor, selectTools } from "../../../src/mcp/definitions/tool-sets.ts";

test("without --tools the loader is listed, and the reader of files and the finder when they are needed", () => {
  expect(selectTools([], DEFAULT_TOOLS.loader)).toEqual({
    always: ["skill"],
    auto: ["read_skill_file", "find_skills"],
  });
});

test("instructions: name the tools as they are listed", () => {
  const { catalog } = DEFAULT_TOOLS;
  expect(instructionsFor(catalog)).toContain("`skills.list`");
  expect(instructionsFor(catalog, "underscore")).toBe(
    "Prefer `skills_list` for exhaustive metadata and `skills_search` for targeted lookups.",
  );
});

const LIBRARY = ["get_skill", "list_skills", "get_asset", "run_script", "report_usage", "refresh_skills"];

test.each<[string[], string[]]>([
  [["loader"], ["skill"]],
  [["finder"], ["find_skills"]],
  [["skill"], ["skill"]],
  [["read_skill_file"], ["read_skill_file"]],
  [["loader,read_skill_file"], ["skill", "read_skill_file"]],
  [["find_skills"], ["find_skills"]],
  [["loader,finder"], ["skill", "find_skills"]],
  [
    ["finder", "loader"],
    ["skill", "find_skills"],
  ],
  [[" find_skills , skill "], ["skill", "find_skills"]],
  [["loader,skill,skill"], ["skill"]],
  [["catalog"], ["skills.list", "skills.search"]],
  [["skills_search,skills.list"], ["skills.list", "skills.search"]],
  [["library"], LIBRARY],
  [["get_asset,get_skill"], ["get_skill", "get_asset"]],
  [["all"], ["skill", "read_skill_file", "skills.list", "skills.search", "find_skills", ...LIBRARY]],
  [
    ["all", "skill"],
    ["skill", "read_skill_file", "skills.list", "skills.search", "find_skills", ...LIBRARY],
  ],
])("--tools %j lists %j and nothing else", (lists, always) => {
  expect(selectTools(lists, DEFAULT_TOOLS.loader).always).toEqual(always);
});

test.each<[string[], string[]]>([
  [["loader"], ["read_skill_file"]],
  [["finder", "loader"], ["read_skill_file"]],
  [["loader,read_skill_file"], []],
  [["skill"], []],
  [["all"], []],
  [["catalog"], []],
])("--tools %j lists %j only when they are needed", (lists, auto) => {
  expect(selectTools(lists, DEFAULT_TOOLS.loader).auto).toEqual(auto);
});

test.each([
  [["nothing"], "nothing"],
  [["loader,nothing"], "nothing"],
  [["loader,"], ""],
  [["__proto__"], "__proto__"],
])("--tools %j is refused because of '%s', and says what there is", (lists, unknown) => {
  const refusal = refusalOf(() => selectTools(lists, DEFAULT_TOOLS.loader));
  expect(refusal.detail).toEqual({ code: "bad-usage", flag: "--tools" });
  expect(refusal.message).toContain(`'${unknown}'`);
  for (const known of ["all", "loader", "catalog", "finder", "skill", "skills.list", "find_skills"]) {
    expect(refusal.message).toContain(known);
  }
});

test("--tools: a word that is near a known one gets that one as a suggestion", () => {
  const refusal = refusalOf(() => selectTools(["Loader"], DEFAULT_TOOLS.loader));
  expect(refusal.message).toContain("'Loader'. Did you mean 'loader'?");
});
