import { describe, expect, test } from "vitest";
import { hostFields, isKnownField, meantField } from "../../src/rules/known-fields.ts";

test.each([
  "name",
  "disable-model-invocation",
  "argument-hint",
  "context",
  "agent",
  "hooks",
  "paths",
  "examples",
])("the field %s is known", (field) => {
  expect([isKnownField(field), meantField(field)]).toEqual([true, undefined]);
});

test("fields of hosts are told from those of the specification", () => {
  const fields = {
    name: "pdf",
    license: "MIT",
    "allowed-tools": "Read",
    model: "x",
    examples: [],
    "user-invocable": true,
  };
  expect(hostFields(fields)).toEqual(["model", "user-invocable"]);
});

describe("a misspelled field is", () => {
  test.each([
    ["desciption", "description"],
    ["Description", "description"],
    ["licence", "license"],
    ["allowed_tools", "allowed-tools"],
    ["allowedTools", "allowed-tools"],
    ["alowed-tools", "allowed-tools"],
    ["metadatas", "metadata"],
    ["userInvokable", "user-invocable"],
    ["disable_model_invocation", "disable-model-invocation"],
    ["nmae", "name"],
    ["compatability", "compatibility"],
    ["LICENSE", "license"],
    ["Licence", "license"],
    ["licanze", "license"],
    ["isallowed-tools", "disallowed-tools"],
  ])("%s for %s", (field, meant) => {
    expect(meantField(field)).toBe(meant);
  });

  test.each(["metdta", "licanza", "xsallowed-tools"])(
    "not %s, which is too far from all or near two",
    (field) => {
      expect(meantField(field)).toBeUndefined();
    },
  );

  test.each(["version", "author", "mood", "mode", "x", "team", "priority", "tools"])("not %s", (field) => {
    expect(meantField(field)).toBeUndefined();
  });
});
