import { describe, expect, test } from "vitest";
import type { ObserveWork, WorkResult } from "#util";
import { noteWork, observedBy } from "../../../src/mcp/observe/observers.ts";

describe("observed work", () => {
  test("every observer sees it, and whoever asked for it gets its result", async () => {
    const seen: string[] = [];
    const observer =
      (name: string): ObserveWork =>
      async (work) => {
        seen.push(`${name} begins ${work.kind}`);
        const result = await work.run();
        seen.push(`${name} ends`);
        return result;
      };
    const observe = observedBy([observer("a"), observer("b")]);
    expect(await observe({ kind: "scan", run: async () => 7 })).toBe(7);
    expect(seen).toEqual(["a begins scan", "b begins scan", "b ends", "a ends"]);
    expect(await observedBy([])({ kind: "scan", run: async () => 8 })).toBe(8);
  });

  test("work is noted with its time and facts; a failure by its class, never by its text", async () => {
    const noted: [string, number, WorkResult][] = [];
    let now = 0;
    const observe = noteWork(
      (...note) => void noted.push(note),
      () => (now += 500),
    );
    await observe({
      kind: "script",
      facts: { script: "a" },
      run: async () => 3,
      describe: (code) => ({ facts: { exit_code: code }, failed: "exit_code" }),
    });
    const missing = Object.assign(new Error("no file named 'my secret'"), { code: "ENOENT" });
    await expect(observe({ kind: "git", run: () => Promise.reject(missing) })).rejects.toBe(missing);
    await expect(
      observe({ kind: "git", run: () => Promise.reject(new RangeError("secret")) }),
    ).rejects.toThrow();
    expect(noted).toEqual([
      ["script", 0.5, { facts: { script: "a", exit_code: 3 }, failed: "exit_code" }],
      ["git", 0.5, { facts: {}, failed: "ENOENT" }],
      ["git", 0.5, { facts: {}, failed: "RangeError" }],
    ]);
  });
});
