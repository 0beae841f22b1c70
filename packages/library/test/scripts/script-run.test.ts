import { describe, expect, test } from "vitest";
import { Refusal } from "#util/pure";
import { startFailure } from "../../src/scripts/script-run.ts";

describe("a process that cannot be started", () => {
  test.each([
    ["E2BIG", "bad-argument"],
    ["ERR_INVALID_ARG_VALUE", "bad-argument"],
    ["ENOENT", "no-runner"],
    ["EACCES", "no-runner"],
    ["EAGAIN", "busy"],
    ["EMFILE", "busy"],
  ])("for %s is refused as %s, with the cause kept", (code, reason) => {
    const cause = Object.assign(new Error("spawn"), { code });
    const failure = startFailure("ui: x.sh", "/usr/bin/bash", cause);
    expect(failure).toBeInstanceOf(Refusal);
    expect(failure).toMatchObject({ detail: { code: "library", reason }, cause });
  });

  test("for an unknown reason is passed on unchanged", () => {
    const bug = new Error("odd");
    expect(startFailure("ui: x.sh", "/usr/bin/bash", bug)).toBe(bug);
  });
});
