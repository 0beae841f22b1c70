import { describe, expect, test } from "vitest";
import { valuesFor } from "../src/file-flags.ts";

type Values = Readonly<Record<string, unknown>>;

const settings = (values: Values) =>
  new Map(
    Object.entries(values).map(([key, value]) => [
      key,
      { parts: key.split("."), value, origin: { kind: "file", file: "f" } as const },
    ]),
  );

describe("flags from settings files", () => {
  test.each<[string, string[], Values, Values, Values]>([
    ["nothing", ["include", "port"], {}, {}, {}],
    ["a value of the own file", ["port"], { "server.port": 80 }, {}, { port: 80 }],
    ["only the flags that are missing", ["host"], { "server.port": 80 }, {}, {}],
    [
      "a project's budget comes first",
      ["description-budget"],
      { "server.description_budget": 1 },
      { "server.description_budget": 2 },
      { "description-budget": 2 },
    ],
    ["false is a flag that says no", ["no-plugins"], { "skills.plugins": false }, {}, { "no-plugins": true }],
    ["true is no such flag", ["no-watch"], { "server.watch": true }, {}, { "no-watch": false }],
    ["prompts have words", ["prompts"], { "server.prompts": false }, {}, { prompts: "off" }],
    [
      "excludes and folders are added, the project's first",
      ["exclude", "skill-dir"],
      { "skills.exclude": ["a"], "skills.skill_dirs": ["/a"] },
      { "skills.exclude": ["b"], "skills.skill_dirs": ["/b"] },
      { exclude: ["b", "a"], "skill-dir": ["/b", "/a"] },
    ],
    ["a project's include alone", ["include"], {}, { "skills.include": ["b"] }, { include: ["b"] }],
    [
      "a project's include narrows the own one",
      ["include"],
      { "skills.include": ["a"] },
      { "skills.include": ["b"] },
      { include: ["a"], narrowTo: ["b"] },
    ],
  ])("%s", (_, names, own, project, expected) => {
    expect(valuesFor(names, { own: settings(own), project: settings(project) })).toEqual(expected);
  });
});
