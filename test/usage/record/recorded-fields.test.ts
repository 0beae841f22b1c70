import { expect, test } from "vitest";
import { recordedFields } from "../../../src/usage/record/recorded-fields.ts";

test("what has no field is not recorded, whoever passes it along", () => {
  const data = {
    skill_path: "api/auth",
    file: "scripts/login.sh",
    execution_mode: "server",
    success: true,
    exit_code: 0,
    duration_ms: 12,
    args_provided: ["user", "password"],
    args: { password: "hunter2" },
    stdout: "hunter2",
    token: "hunter2",
  };
  const { args: _, stdout: __, token: ___, ...kept } = data;
  expect(recordedFields("script_executed", data)).toEqual(kept);
});

test("a list of names holds nothing but texts", () => {
  const args_provided = ["user", { password: "hunter2" }, ["hunter2"]];
  expect(recordedFields("script_executed", { args_provided })).toEqual({ args_provided: ["user"] });
});

test("a client's text is cut, and half a character is not left over", () => {
  const { context } = recordedFields("no_match", { context: "😀".repeat(5000) });
  expect(context).toBe("😀".repeat(2048));
  const { context: odd } = recordedFields("no_match", { context: `x${"😀".repeat(5000)}` });
  expect(odd).toBe(`x${"😀".repeat(2047)}\uFFFD`);
});

test("a list is cut", () => {
  const candidates = Array.from({ length: 500 }, (_, n) => `${n}${"x".repeat(500)}`);
  const kept = recordedFields("ambiguous", { context: "a", candidates })["candidates"] as string[];
  expect(kept).toHaveLength(100);
  expect(kept.every((name) => name.length === 256)).toBe(true);
});

test("numbers that JSON does not know are left out, and null stays", () => {
  const data = { duration_ms: Number.NaN, exit_code: null };
  expect(recordedFields("script_executed", data)).toEqual({ exit_code: null });
});
