import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { parseMachine, parseStart } from "../../src/platform/darwin.ts";

const hasPs = spawnSync("ps", ["-o", "stat=,lstart=", "-p", String(process.pid)]).status === 0;
const psOf = (pid: number): string =>
  spawnSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C", TZ: "UTC" },
  }).stdout;

test.each([
  ["a running process", "Ss   Wed Nov 18 19:17:41 2026\n", "1795029461"],
  ["a day of one digit", "S+   Sun Mar  1 09:05:00 2026    \n", "1772355900"],
  ["one that has ended and waits to be reaped", "Z    Wed Nov 18 19:17:41 2026\n", undefined],
  ["what is no date", "Ss   some time ago", "0"],
  ["nothing", "", "0"],
])("darwin: the start of a process in the lines of ps: %s", (_what, line, start) => {
  expect(parseStart(line)).toBe(start);
});

test.skipIf(!hasPs)(
  "darwin: the start in what this machine's ps prints is the one of the process",
  async () => {
    const before = Math.floor(Date.now() / 1000);
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    onTestFinished(() => void child.kill());
    await once(child, "spawn");
    const start = Number(parseStart(psOf(child.pid ?? 0)));
    // The kernel counts from the boot, and its clock may have been set since.
    expect(Math.abs(start - before)).toBeLessThan(600);
    expect(Number(parseStart(psOf(process.pid)))).toBeLessThanOrEqual(start);
  },
);

test("darwin: the number of the machine is the one of its hardware, and no answer is no number", () => {
  const text = `+-o J314sAP  <class IOPlatformExpertDevice, id 0x100000227>
    {
      "IOPlatformSerialNumber" = "C02XXXXXXXXX"
      "IOPlatformUUID" = "4C1D7A2E-0000-5F00-9D0E-000000000000"
    }`;
  expect(parseMachine(text)).toBe("4C1D7A2E-0000-5F00-9D0E-000000000000");
  expect(() => parseMachine("")).toThrow("IOPlatformUUID");
});
