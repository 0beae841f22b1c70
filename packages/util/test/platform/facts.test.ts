import { hostname } from "node:os";
import { describe, expect, test } from "vitest";
import { DARWIN } from "../../src/platform/darwin.ts";
import { POSIX } from "../../src/platform/posix.ts";
import { WIN32 } from "../../src/platform/win32.ts";

/** More than any system gives. */
const NO_PROCESS = 2 ** 30;

test.each([
  [WIN32, ["rundll32", "url.dll,FileProtocolHandler", "http://127.0.0.1:4700/?a&b"]],
  [DARWIN, ["open", "http://127.0.0.1:4700/?a&b"]],
  [{ ...POSIX, name: "another" }, ["xdg-open", "http://127.0.0.1:4700/?a&b"]],
])("platform: %s opens an address without a shell", ({ programs }, command) => {
  expect(programs.browsers("http://127.0.0.1:4700/?a&b")).toEqual([command]);
});

describe("win32: an interpreter", () => {
  test("bash is looked for where Git has one, then by its name", () => {
    const environment = { ProgramFiles: "C:\\Program Files", LOCALAPPDATA: "C:\\Users\\ann\\AppData\\Local" };
    expect(WIN32.programs.interpreters("bash", environment)).toEqual([
      ["C:\\Program Files\\Git\\bin\\bash.exe"],
      ["C:\\Users\\ann\\AppData\\Local\\Programs\\Git\\bin\\bash.exe"],
      ["bash"],
    ]);
    expect(WIN32.programs.interpreters("python3", {})).toEqual([["py", "-3"], ["python"], ["python3"]]);
    expect(WIN32.programs.interpreters("node", {})).toEqual([["node"]]);
  });

  test.each([
    ["bash", "C:\\Windows\\System32\\bash.exe", false],
    ["bash", "C:\\Program Files\\Git\\bin\\bash.exe", true],
    ["python3", "no-such-program-here", false],
    // It starts, and answers something else than Python 3.
    ["python3", process.execPath, false],
    ["node", "no-such-program-here", true],
  ])("%s at %s is the real one: %s", (name, program, isReal) => {
    expect(WIN32.programs.isReal(name, [program])).toBe(isReal);
  });
});

describe("darwin: processes", () => {
  test("one that does not exist has no start", () => {
    // Where there is no ps, nothing is known of any process.
    expect([undefined, "0"]).toContain(DARWIN.processes.startOf(NO_PROCESS));
    expect(DARWIN.processes.startOf(process.pid)).toMatch(/^\d+$/);
  });

  test("the machine and the boot stay the same, and the machine is not called as its network does", () => {
    expect(DARWIN.processes.machine()).toBe(DARWIN.processes.machine());
    expect(DARWIN.processes.machine()).not.toBe(hostname());
    expect(DARWIN.processes.boot()).toBe(DARWIN.processes.boot());
  });
});

test("posix: a group that does not exist gets no signal", () => {
  expect(POSIX.processes.signalGroup(NO_PROCESS, "SIGTERM")).toBe(false);
  expect([POSIX.processes.startOf(), POSIX.processes.boot(), POSIX.processes.machine()]).toEqual([
    "0",
    "",
    hostname(),
  ]);
  expect([POSIX.programs.interpreters("bash"), POSIX.programs.isReal(), POSIX.programs.endings()]).toEqual([
    [["bash"]],
    true,
    [""],
  ]);
});
