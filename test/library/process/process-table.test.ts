import { describe, expect, test } from "vitest";
import { parseProcessStat } from "../../../src/library/process/process-table.ts";

const REST = "0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 987654 1000 200";

describe("a line of the process table", () => {
  test.each([
    ["a plain name", `12 (bash) S 1 12 11 ${REST}`, false],
    ["a name with spaces and brackets", `12 (a) S 1 (b) c) S 1 12 11 ${REST}`, false],
    ["one that ended", `12 (bash) Z 1 12 11 ${REST}`, true],
  ])("is read with %s", (_what, line, dead) => {
    expect(parseProcessStat(line)).toEqual({
      pid: 12,
      parent: 1,
      group: 12,
      session: 11,
      started: 987654,
      dead,
    });
  });

  test.each(["", "junk", "12 (bash"])("is nothing when it is %j", (line) => {
    expect(parseProcessStat(line)).toBeUndefined();
  });
});
