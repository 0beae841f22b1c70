import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { probeSandbox } from "../../../src/library/sandbox/probe-sandbox.ts";
import { findProgram } from "../../../src/library/scripts/programs.ts";

const FOREVER = new AbortController().signal;

const find = (name: string): string => findProgram(name, process.env["PATH"] ?? "", process.platform) ?? name;
const programs = { bwrap: find("bwrap"), prlimit: find("prlimit") };

/** The least that bubblewrap can be asked for, with nothing of ours in it. */
const bubblewrapWorks =
  spawnSync(programs.bwrap, [
    "--unshare-all",
    "--ro-bind",
    "/",
    "/",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    "true",
  ]).status === 0;

describe("the search for a sandbox", () => {
  test("finds bubblewrap exactly where bubblewrap works", async () => {
    const layer = await probeSandbox(process.env, process.platform, FOREVER);
    expect(layer.kind === "bubblewrap").toBe(bubblewrapWorks);
  });

  test.skipIf(!bubblewrapWorks)("uses the limits where the system has them", async () => {
    const layer = await probeSandbox(process.env, process.platform, FOREVER);
    expect(layer).toMatchObject({
      prlimit: spawnSync(programs.prlimit, ["--version"]).status === 0 ? expect.any(String) : undefined,
    });
  });

  test.each([
    ["linux", "bubblewrap (bwrap) is not installed"],
    ["win32", "none is available for win32"],
    ["freebsd", "none is available for freebsd"],
  ] as const)("finds nothing on an empty %s and says why", async (platform, reason) => {
    expect(await probeSandbox({ PATH: "/nowhere" }, platform, FOREVER)).toEqual({ kind: "none", reason });
  });
});
