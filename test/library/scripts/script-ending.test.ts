import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { waitUntil } from "../../support/wait-until.ts";
import {
  createScriptFixture,
  layersHere,
  processesWith,
  shareRunners,
  uniqueNumber,
} from "./script-fixture.ts";

const LAYERS = await layersHere();
const withRunner = shareRunners();
const onLinux = process.platform === "linux";

/** Four ways to outlive a script: in its group, in a session of its own, with another parent, deaf to signals. */
const family = (number: string): string => `
sleep ${number} &
setsid sleep ${number} &
(setsid sh -c 'sleep ${number} & exit' &)
(trap '' TERM; sleep ${number}) &
`;

/** Printed when the whole family is there: a sandbox counts its own processes. */
const familyThere = (number: string): string =>
  `until [ "$(cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -o 'sleep ${number}' | wc -l)" -ge 4 ]; do sleep 0.02; done; echo there;`;

describe.skipIf(!onLinux).each(LAYERS)("the end of a script $layer", ({ policy }) => {
  test("by itself takes along everything it started, and is not delayed by it", async () => {
    const number = uniqueNumber();
    const outcome = await withRunner(policy).run(`${family(number)}${familyThere(number)} exit 4`);
    expect(outcome).toMatchObject({ exitCode: 4, stdout: "there\n" });
    expect(processesWith(number)).toEqual([]);
  });

  test("by time-out takes along everything, ignored signals or not, and keeps what was written", async () => {
    const number = uniqueNumber();
    const text = `trap '' TERM; echo partial; printf half >&2; ${family(number)} while :; do sleep 0.05; done`;
    const outcome = await withRunner(policy).run(text, { timeoutMs: 1500 });
    expect(outcome).toMatchObject({
      success: false,
      exitCode: 137,
      timedOut: true,
      stdout: "partial\n",
      stderr: "half\n[skills-mcp] Script killed: timeout exceeded.",
    });
    expect(processesWith(number)).toEqual([]);
  });

  test("by time-out lets it clean up first, and is still no success", async () => {
    const { sandbox, run } = createScriptFixture(policy, { graceMs: 20_000 });
    const text = "trap 'echo cleaned > cleaned; exit 0' TERM; while :; do sleep 0.05; done";
    const outcome = await run(text, { timeoutMs: 1500, cwd: sandbox.project, cwdWritable: true });
    expect(existsSync(sandbox.path("project/cleaned"))).toBe(true);
    expect(outcome).toMatchObject({ success: false, exitCode: 137, timedOut: true });
  });

  test("by timeout is reported even if stderr was cut", async () => {
    const text = "printf '%0100d' 0 >&2; sleep 30";
    const { stderr, stderrCut } = await withRunner(policy).run(text, {
      timeoutMs: 1000,
      maxOutputBytes: 8,
    });
    expect(stderr).toBe("00000000\n[skills-mcp] Script killed: timeout exceeded.");
    expect(stderrCut).toBe(true);
  });

  test("by cancellation takes along everything and is a refusal", async () => {
    const number = uniqueNumber();
    const { plan, runner } = withRunner(policy);
    const cancel = new AbortController();
    const lines: string[] = [];
    const run = runner.run(
      plan(`trap '' TERM; ${family(number)} ${familyThere(number)} while :; do sleep 0.05; done`, {
        signal: cancel.signal,
        onLine: (line) => lines.push(line),
      }),
    );
    await waitUntil("the family is there", () => lines.includes("there"));
    cancel.abort();
    await expect(run).rejects.toMatchObject({ detail: { code: "library", reason: "cancelled" } });
    expect(processesWith(number)).toEqual([]);
  });

  test("by closing takes along what runs, what waits, and what comes later", async () => {
    const number = uniqueNumber();
    const { plan, runner } = createScriptFixture(policy, { atOnce: 1 });
    const lines: string[] = [];
    const runs = [
      runner.run(
        plan(`${family(number)}${familyThere(number)} sleep ${number}`, {
          onLine: (line) => lines.push(line),
        }),
      ),
      runner.run(plan("exit 0")),
    ];
    const ends = Promise.allSettled(runs);
    await waitUntil("the family is there", () => lines.includes("there"));
    await runner.close();
    expect(processesWith(number)).toEqual([]);
    const later = await Promise.allSettled([runner.run(plan("exit 0"))]);
    const cancelled = { status: "rejected", reason: { detail: { reason: "cancelled" } } };
    expect([...(await ends), ...later]).toMatchObject([cancelled, cancelled, cancelled]);
    await runner.close();
  });

  test("comes at once for a run that is cancelled before it begins", async () => {
    const { run } = withRunner(policy);
    await expect(run("exit 0", { signal: AbortSignal.abort() })).rejects.toMatchObject({
      detail: { reason: "cancelled" },
    });
  });
});
