import { describe, expect, test } from "vitest";
import { renamePatiently } from "../../src/platform/win32.ts";
import { Refusal } from "../../src/pure/refusal.ts";

/** A system that answers each attempt with one of these codes, and then renames. */
function answering(...codes: readonly string[]) {
  const answers = [...codes];
  const pauses: number[] = [];
  return {
    pauses,
    left: answers,
    rename() {
      const code = answers.shift();
      if (code !== undefined) throw Object.assign(new Error(`${code}: rename`), { code });
    },
    pause: (ms: number) => void pauses.push(ms),
  };
}

describe("win32: the rename of a folder that another program has open", () => {
  test.each([
    ["at once where nothing holds it", [], 0],
    ["after an indexer lets go", ["EPERM"], 1],
    ["after a virus scanner and an indexer", ["EBUSY", "EACCES", "EPERM"], 3],
  ])("succeeds %s", (_when, codes, waits) => {
    const system = answering(...codes);
    renamePatiently("C:\\skills\\pdf", "C:\\old", system);
    expect(system.pauses).toHaveLength(waits);
  });

  test("is given up after a bounded wait, and the message names the folder, the reason and the way out", () => {
    const system = answering(...Array<string>(50).fill("EPERM"));
    let refusal: unknown;
    try {
      renamePatiently("C:\\skills\\pdf", "C:\\old", system);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(Refusal);
    expect((refusal as Refusal).detail).toEqual({ code: "cannot-write", file: "C:\\skills\\pdf" });
    expect((refusal as Refusal).message).toMatch(
      /^C:\\skills\\pdf cannot be moved: another program .*EPERM.*Close /,
    );
    expect(system.pauses.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(2_000);
    expect(system.left.length).toBeGreaterThan(40);
  });

  test("fails at once where waiting changes nothing", () => {
    const system = answering("ENOENT");
    expect(() => renamePatiently("C:\\skills\\pdf", "C:\\old", system)).toThrow("ENOENT");
    expect(system.pauses).toEqual([]);
  });
});
