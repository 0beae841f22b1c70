import { expect, test } from "vitest";
import { DEFAULT_TOOLS, instructionsFor, selectTools } from "../../../src/mcp/definitions/tool-sets.ts";
import { refusalOf } from "../../catalog/refused.ts";

test("by default the loader is listed, and the finder when it is wanted", () => {
  expect(selectTools([], DEFAULT_TOOLS.loader)).toEqual({
    always: ["skill"],
    auto: ["find_skills"],
  });
});

test("the instructions name the tools as they are listed", () => {
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
  [["all"], ["skill", "skills.list", "skills.search", "find_skills", ...LIBRARY]],
  [
    ["all", "skill"],
    ["skill", "skills.list", "skills.search", "find_skills", ...LIBRARY],
  ],
])("--tools %j lists %j and nothing else", (lists, always) => {
  expect(selectTools(lists, DEFAULT_TOOLS.loader)).toEqual({ always, auto: [] });
});

test.each([
  [["nothing"], "nothing"],
  [["loader,nothing"], "nothing"],
  [["Loader"], "Loader"],
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
