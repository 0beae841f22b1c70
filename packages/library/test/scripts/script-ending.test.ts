import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { waitUntil } from "../../../../test/support/wait-until.ts";
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

  // At the same time, because each lasts as long as its time-out.
  test("by time-out takes along everything, lets it clean up first, and is reported", async () => {
    const number = uniqueNumber();
    const { run } = withRunner(policy);
    const patient = createScriptFixture(policy, { graceMs: 20_000 });
    const writable = { cwd: patient.sandbox.project, cwdWritable: true };
    const [deaf, clean, cut] = await Promise.all([
      run(`trap '' TERM; echo partial; printf half >&2; ${family(number)} while :; do sleep 0.05; done`, {
        timeoutMs: 1500,
      }),
      patient.run("trap 'echo cleaned > cleaned; exit 0' TERM; while :; do sleep 0.05; done", {
        timeoutMs: 1500,
        ...writable,
      }),
      run("printf '%0100d' 0 >&2; sleep 30", { timeoutMs: 1500, maxOutputBytes: 8 }),
    ]);
    const killed = { success: false, exitCode: 137, timedOut: true };
    // Signals that it ignores do not save it, and what it wrote stays.
    expect(deaf).toMatchObject({
      ...killed,
      stdout: "partial\n",
      stderr: "half\n[skills-mcp] Script killed: timeout exceeded.",
    });
    expect(processesWith(number)).toEqual([]);
    // One that cleaned up is still no success.
    expect(clean).toMatchObject(killed);
    expect(existsSync(patient.sandbox.path("project/cleaned"))).toBe(true);
    expect(cut).toMatchObject({
      stderr: "00000000\n[skills-mcp] Script killed: timeout exceeded.",
      stderrCut: true,
    });
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
