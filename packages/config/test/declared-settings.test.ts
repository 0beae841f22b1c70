import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { BOOLEAN, choice, list, text, type ValueType, valueFromText, whole } from "../src/declaration.ts";
import { FLAG_SETTINGS, settingFlags } from "../src/setting-flags.ts";
import { DECLARED, type DeclaredSetting, keyPath } from "../src/settings.ts";

const PAGE = readFileSync(
  path.resolve(import.meta.dirname, "../../../docs/reference/configuration.md"),
  "utf8",
);

/** The cells of each row of the table after a heading, without the code marks. */
function tableAfter(heading: string): readonly (readonly string[])[] {
  const [, rest = ""] = PAGE.split(heading);
  const lines = rest.slice(rest.indexOf("|---")).split("\n").slice(1);
  return lines.slice(0, lines.indexOf("")).map((line) =>
    line
      .slice(2, -2)
      .split(" | ")
      .map((cell) => cell.replaceAll("`", "")),
  );
}

const keysOf = (settings: readonly DeclaredSetting[]) => settings.map(({ parts }) => keyPath(parts));

describe("docs/reference/configuration.md", () => {
  test("lists every variable with what it sets", () => {
    const variables = new Map(
      tableAfter("| variable | sets |").map(([name = "", sets = ""]) => [name, sets]),
    );
    for (const { parts, environment } of DECLARED) {
      if (environment === undefined) continue;
      const { variable, turnsOn } = environment;
      expect(variables.get(variable)).toContain(keyPath(parts));
      if (turnsOn !== undefined) expect(variables.get(variable)).toContain(keyPath([parts[0], turnsOn]));
    }
  });

  test("lists what a project may set, and nothing else", () => {
    const listed = tableAfter("| key | in `.skills-mcp.yaml` |").flatMap(([keys = ""]) => keys.split(", "));
    expect(listed.toSorted()).toEqual(keysOf(DECLARED.filter(({ project }) => project === true)).toSorted());
  });
});

describe("the flags of settings", () => {
  test("have the kind and the range of their settings", () => {
    expect(settingFlags("http")).toMatchObject({
      host: { kind: "text", value: "<address>" },
      port: { kind: "number", min: 0, max: 65_535 },
    });
    expect(settingFlags("tools")).toMatchObject({
      tools: { kind: "list" },
      "tool-names": { kind: "choice", choices: ["dotted", "underscore"] },
      prompts: { kind: "choice", choices: ["on", "off"] },
    });
    expect(settingFlags("refresh")["no-watch"].kind).toBe("switch");
  });

  test("have names of their own", () => {
    const names = DECLARED.flatMap(({ flag }) => flag?.split(" ")[0] ?? []);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each([
    ["strict", true, true],
    ["no-watch", false, true],
    ["no-watch", true, false],
    ["prompts", true, "on"],
    ["prompts", false, "off"],
    ["port", 80, 80],
  ])("--%s for a setting that is %j is %j", (name, value, expected) => {
    expect(FLAG_SETTINGS[name]?.toFlag(value)).toBe(expected);
  });

  test("exclude each other where one setting contradicts the other", () => {
    expect(FLAG_SETTINGS["strict"]?.excludes).toEqual(["lenient"]);
    expect(FLAG_SETTINGS["lenient"]?.excludes).toEqual(["strict"]);
    expect(FLAG_SETTINGS["include"]?.excludes).toEqual([]);
  });

  test("are not filled from a file where a variable comes between", () => {
    expect([FLAG_SETTINGS["redis"]?.isFilled, FLAG_SETTINGS["host"]?.isFilled]).toEqual([false, true]);
  });
});

test.each<[ValueType, string, unknown]>([
  [BOOLEAN, "true", true],
  [BOOLEAN, "false", false],
  [BOOLEAN, "1", undefined],
  [BOOLEAN, "constructor", undefined],
  [whole(1, 5), "5", 5],
  [whole(1, 5), "6", undefined],
  [choice(["a", "b"]), "b", "b"],
  [choice(["a", "b"]), "c", undefined],
  [text("an x", /^x$/), "x", "x"],
  [text("an x", /^x$/), "y", undefined],
  [list(text("an x", /^x$/), "a list"), "x", undefined],
])("a variable of %j with the text %j has the value %j", (type, given, expected) => {
  expect(valueFromText(type, given)).toBe(expected);
});
