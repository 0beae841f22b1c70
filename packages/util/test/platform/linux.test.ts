import { afterEach, describe, expect, test, vi } from "vitest";
import { LINUX } from "../../src/platform/linux.ts";

afterEach(() => void vi.unstubAllEnvs());

describe("linux: in WSL", () => {
  test("the browser of Windows is opened, and one of Linux only where that fails", () => {
    vi.stubEnv("WSL_DISTRO_NAME", "Ubuntu");
    expect(LINUX.programs.browsers("http://127.0.0.1:4700/").map(([program]) => program)).toEqual([
      "wslview",
      "rundll32.exe",
      "xdg-open",
    ]);
  });

  test("people are told which side is changed, and how to change the other one", () => {
    vi.stubEnv("WSL_DISTRO_NAME", "Ubuntu");
    expect(LINUX.programs.otherSide()).toMatch(/side of Linux \(Ubuntu\).*PowerShell/);
  });
});

test("linux: without WSL there is one side, and one browser", () => {
  vi.stubEnv("WSL_DISTRO_NAME", undefined);
  expect(LINUX.programs.otherSide()).toBeUndefined();
  expect(LINUX.programs.browsers("http://127.0.0.1:4700/")).toEqual([["xdg-open", "http://127.0.0.1:4700/"]]);
});
