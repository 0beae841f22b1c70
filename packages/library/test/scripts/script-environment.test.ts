import { describe, expect, test } from "vitest";
import { PLATFORMS } from "#util";
import { scriptEnvironment } from "../../src/scripts/script-environment.ts";

const PLACES = { home: "/run/home", temp: "/run/tmp" };
const SERVER = {
  PATH: "/usr/bin",
  HOME: "/shop/home",
  LANG: "de_DE.UTF-8",
  LC_ALL: "C",
  LC_TIME: "en_GB",
  LANGUAGE: "de",
  GITHUB_TOKEN: "secret",
  NODE_OPTIONS: "--require /evil.js",
  LD_PRELOAD: "/evil.so",
  BASH_ENV: "/evil.sh",
  PYTHONPATH: "/evil",
  SKILL_ARG_FORGED: "x",
  LC_all_of_it: "secret",
  SystemRoot: "C:\\Windows",
  UNSET: undefined,
};

describe("the environment of a script", () => {
  test("contains PATH, its own folders, the locale and its arguments, and nothing else", () => {
    const args = new Map([["SKILL_ARG_NAME", "x"]]);
    expect(scriptEnvironment(SERVER, PLACES, args, PLATFORMS.linux)).toEqual({
      PATH: "/usr/bin",
      HOME: "/run/home",
      TMPDIR: "/run/tmp",
      TEMP: "/run/tmp",
      TMP: "/run/tmp",
      LANG: "de_DE.UTF-8",
      LANGUAGE: "de",
      LC_ALL: "C",
      LC_TIME: "en_GB",
      SKILL_ARG_NAME: "x",
    });
  });

  test("has a way to programs even if the server has none", () => {
    expect(scriptEnvironment({}, PLACES, new Map(), PLATFORMS.linux)["PATH"]).toBe(
      "/usr/local/bin:/usr/bin:/bin",
    );
  });

  test("keeps on Windows what programs need to start at all", () => {
    const { PATH, SystemRoot, GITHUB_TOKEN } = scriptEnvironment(
      { Path: "C:\\bin", SystemRoot: "C:\\Windows", GITHUB_TOKEN: "secret" },
      PLACES,
      new Map(),
      PLATFORMS.win32,
    );
    expect({ PATH, SystemRoot, GITHUB_TOKEN }).toEqual({
      PATH: "C:\\bin",
      SystemRoot: "C:\\Windows",
      GITHUB_TOKEN: undefined,
    });
  });
});
