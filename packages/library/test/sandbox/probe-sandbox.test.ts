import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { describe, expect, test } from "vitest";
import { PLATFORMS, type Platform, platform } from "#util";
import { CANARY, type Machine, probeSandbox } from "../../src/sandbox/probe-sandbox.ts";
import { findProgram } from "../../src/scripts/programs.ts";

const FOREVER = new AbortController().signal;

const machine = (environment: NodeJS.ProcessEnv, on: Platform): Machine => {
  return { environment, platform: on, content: [], inherited: [], isReal: () => true };
};
const here = machine(process.env, platform);

const find = (name: string): string => {
  const search = { searchPath: process.env["PATH"] ?? "", platform, content: [] };
  return findProgram(name, search) ?? name;
};
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

/** The probe without any sandbox, on a machine that has no `/proc`. */
async function probeWithoutProc(reachable: Server): Promise<string> {
  const { port } = reachable.address() as AddressInfo;
  const script = CANARY.replaceAll("/proc/net/dev", "/nowhere/net/dev");
  const child = spawn("/bin/sh", ["-c", script, "canary", "/nowhere/secret", "/nowhere", String(port)]);
  const chunks: Buffer[] = await child.stdout.toArray();
  return Buffer.concat(chunks).toString().trim();
}

test.skipIf(!existsSync("/bin/bash"))(
  "the probe proves without /proc that a script reaches the network, or not",
  async () => {
    const reachable = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
    await once(reachable, "listening");
    expect(await probeWithoutProc(reachable)).toBe("it allows network access");
    const closed = { address: () => ({ port: 1 }) } as unknown as Server;
    reachable.close();
    expect(await probeWithoutProc(closed)).toBe("it hides the script's folder");
  },
);

describe("the search for a sandbox", () => {
  test("finds bubblewrap exactly where bubblewrap works", async () => {
    const layer = await probeSandbox(here, FOREVER);
    expect(layer.kind === "bubblewrap").toBe(bubblewrapWorks);
  });

  test.skipIf(!bubblewrapWorks)("uses the limits where the system has them", async () => {
    const layer = await probeSandbox(here, FOREVER);
    expect(layer).toMatchObject({
      prlimit: spawnSync(programs.prlimit, ["--version"]).status === 0 ? expect.any(String) : undefined,
    });
  });

  test.each([
    ["linux", "bubblewrap (bwrap) is not installed"],
    ["win32", "none is available for win32"],
  ] as const)("finds nothing on an empty %s and says why", async (name, reason) => {
    expect(await probeSandbox(machine({ PATH: "/nowhere" }, PLATFORMS[name]), FOREVER)).toMatchObject({
      kind: "none",
      reason,
    });
  });
});
