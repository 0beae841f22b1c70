import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Refusal } from "#util/pure";
import { argumentVariables } from "../../src/scripts/script-arguments.ts";

const LABEL = "ui/auth: scripts/check.sh";

/** Any UTF-16, halves of characters and all. */
const ANY_NAME = fc.string({
  minLength: 1,
  maxLength: 20,
  unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)),
});

function refusalOf(args: Readonly<Record<string, string>>): Refusal {
  try {
    argumentVariables(LABEL, args);
  } catch (error) {
    if (error instanceof Refusal) return error;
  }
  throw new Error("The arguments were not refused.");
}

describe("the variables of a script's arguments", () => {
  test.each([
    ["component", "SKILL_ARG_COMPONENT"],
    ["clientId", "SKILL_ARG_CLIENTID"],
    ["client-id", "SKILL_ARG_CLIENT_ID"],
    ["client_id", "SKILL_ARG_CLIENT_ID"],
    ["a.b c", "SKILL_ARG_A_B_C"],
    ["2nd", "SKILL_ARG_2ND"],
    ["größe", "SKILL_ARG_GR_SSE"],
    ["名前", "SKILL_ARG___"],
    ["🙂", "SKILL_ARG__"],
    ["a=b", "SKILL_ARG_A_B"],
    ["x\0y", "SKILL_ARG_X_Y"],
    ["$(rm -rf)", "SKILL_ARG___RM__RF_"],
    ["__proto__", "SKILL_ARG___PROTO__"],
    ["constructor", "SKILL_ARG_CONSTRUCTOR"],
  ])("name %j as %s", (name, variable) => {
    const args = JSON.parse(`{${JSON.stringify(name)}: "value"}`) as Record<string, string>;
    expect([...argumentVariables(LABEL, args)]).toEqual([[variable, "value"]]);
  });

  test("carry values byte for byte, up to the limit", () => {
    const values = { empty: "", lines: "a\nb\r\n", quotes: `'"\`$x`, accents: "é".repeat(16 * 1024) };
    expect(Object.fromEntries(argumentVariables(LABEL, values))).toEqual({
      SKILL_ARG_EMPTY: "",
      SKILL_ARG_LINES: "a\nb\r\n",
      SKILL_ARG_QUOTES: `'"\`$x`,
      SKILL_ARG_ACCENTS: values.accents,
    });
  });

  test.each<[string, Record<string, string>, readonly string[]]>([
    ["two names that become one variable", { "a-b": "1", a_b: "2" }, ['"a-b"', '"a_b"', "SKILL_ARG_A_B"]],
    ["a name twice in different case", { Id: "1", id: "2" }, ['"Id"', '"id"']],
    ["a value over the limit", { data: "x".repeat(200_000) }, ['"data"', "200000", "32768"]],
    ["a value whose bytes are over the limit", { data: "é".repeat(16 * 1024 + 1) }, ['"data"', "32770"]],
    ["a value with a NUL", { key: "a\0b" }, ['"key"', "NUL"]],
    ["an empty name", { "": "x" }, ['""', "1 to 128"]],
    ["a name that is too long", { ["n".repeat(129)]: "x" }, ["129"]],
  ])("refuse %s", (_what, args, words) => {
    const refusal = refusalOf(args);
    expect(refusal.detail).toEqual({ code: "library", reason: "bad-argument" });
    for (const word of [LABEL, ...words]) expect(refusal.message).toContain(word);
  });

  test("are proper variable names whatever the names are, one for each", () => {
    fc.assert(
      fc.property(fc.dictionary(ANY_NAME, fc.string()), (args) => {
        let variables: ReadonlyMap<string, string>;
        try {
          variables = argumentVariables(LABEL, args);
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
          return;
        }
        expect(variables.size).toBe(Object.keys(args).length);
        for (const name of variables.keys()) expect(name).toMatch(/^SKILL_ARG_[A-Z0-9_]+$/);
      }),
    );
  });
});
