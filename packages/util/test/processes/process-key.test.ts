import { spawn } from "node:child_process";
import { describe, expect, test } from "vitest";
import {
  createProcessKey,
  type ProcessKey,
  parseProcessKey,
  processState,
} from "../../src/processes/process-key.ts";
import { parseProcessStat } from "../../src/processes/process-stat.ts";

const own = (): ProcessKey => parseProcessKey(createProcessKey()) as ProcessKey;

describe("a process key", () => {
  test("a process key names this process, and no two keys are equal", () => {
    expect(own()).toMatchObject({ pid: process.pid });
    expect(processState(own())).toBe("alive");
    expect(createProcessKey()).not.toBe(createProcessKey());
  });

  test.each(["", "12", "1-2-3-4", "x-1-0-0-aa", "1-2-3-4-5-6"])("is not %j", (text) => {
    expect(parseProcessKey(text)).toBeUndefined();
  });

  test("the key of a process that has ended is dead", async () => {
    const child = spawn(process.execPath, ["-e", ""]);
    await new Promise((resolve) => child.on("exit", resolve));
    expect(processState({ ...own(), pid: child.pid ?? 0 })).toBe("dead");
  });

  test("a key with another start time or boot is dead, one of another machine is unknown", () => {
    expect(processState({ ...own(), start: "1" })).toBe("dead");
    expect(processState({ ...own(), boot: "1" })).toBe("dead");
    expect(processState({ ...own(), machine: "1" })).toBe("unknown");
  });
});

const REST = "0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 987654 1000 200";

describe("/proc/<pid>/stat", () => {
  test.each([
    ["a plain name", `12 (bash) S 1 12 11 ${REST}`, false],
    ["a name with spaces and brackets", `12 (a) S 1 (b) c) S 1 12 11 ${REST}`, false],
    ["one that ended", `12 (bash) Z 1 12 11 ${REST}`, true],
  ])("is read with %s", (_what, line, ended) => {
    expect(parseProcessStat(line)).toEqual({
      pid: 12,
      parent: 1,
      group: 12,
      session: 11,
      started: 987654,
      ended,
    });
  });

  test.each(["", "junk", "12 (bash"])("is nothing when it is %j", (line) => {
    expect(parseProcessStat(line)).toBeUndefined();
  });
});
