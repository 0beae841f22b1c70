import { describe, expect, test } from "vitest";
import { windowsInvocation } from "../../src/platform/win32-commands.ts";

const NPM = String.raw`@ECHO off
GOTO start
:find_dp0
SET dp0=%~dp0
EXIT /b
:start
SETLOCAL
CALL :find_dp0

IF EXIST "%dp0%\node.exe" (
  SET "_prog=%dp0%\node.exe"
) ELSE (
  SET "_prog=node"
  SET PATHEXT=%PATHEXT:;.JS;=;%
)

endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\node_modules\@openai\codex\bin\codex.js" %*
`;
const NPM_PROGRAM = String.raw`@ECHO off
GOTO start
:start
SETLOCAL
CALL :find_dp0
"%dp0%\node_modules\@anthropic-ai\claude-code\bin\claude.exe"   %*
`;
const PNPM = String.raw`@SETLOCAL
@IF EXIST "%~dp0\node.exe" (
  "%~dp0\node.exe"  "%~dp0\global\5\node_modules\scanner\bin.mjs" %*
) ELSE (
  @SET PATHEXT=%PATHEXT:;.JS;=;%
  node  "%~dp0\global\5\node_modules\scanner\bin.mjs" %*
)
`;
const WITH_OPTIONS = NPM.replace('"%_prog%"  ', '"%_prog%" --no-warnings --max-old-space-size=200 ');
const PYTHON = NPM.replace("_prog=%dp0%\\node.exe", "_prog=%dp0%\\python.exe").replace(
  "_prog=node",
  "_prog=python",
);

const TOOLS = "C:\\Users\\Jo Ö\\AppData\\Roaming\\npm";
const NODE = "C:\\Program Files\\nodejs\\node.exe";
const ENVIRONMENT = {
  Path: `C:\\Windows\\System32;${TOOLS};.;C:\\Program Files\\nodejs`,
  PATHEXT: ".COM;.EXE;.BAT;.CMD;.VBS;.JS",
  ComSpec: "C:\\Windows\\System32\\cmd.exe",
};
const FILES = new Map(
  [
    [NODE, ""],
    [`${TOOLS}\\codex`, "#!/bin/sh"],
    [`${TOOLS}\\codex.cmd`, NPM],
    [`${TOOLS}\\node_modules\\@openai\\codex\\bin\\codex.js`, ""],
    [`${TOOLS}\\claude.cmd`, NPM_PROGRAM],
    [`${TOOLS}\\node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe`, ""],
    [`${TOOLS}\\scanner.cmd`, PNPM],
    [`${TOOLS}\\global\\5\\node_modules\\scanner\\bin.mjs`, ""],
    [`${TOOLS}\\options.cmd`, WITH_OPTIONS],
    [`${TOOLS}\\python-tool.cmd`, PYTHON],
    [`${TOOLS}\\own.bat`, "@echo %*"],
    ["C:\\Windows\\System32\\where.exe", ""],
    ["C:\\Windows\\System32\\both.exe", ""],
    [`${TOOLS}\\both.cmd`, NPM],
  ].map(([file = "", text = ""]) => [file.toLowerCase(), text]),
);

const disk = {
  isFile: (file: string) => FILES.has(file.toLowerCase()),
  read: (file: string) => FILES.get(file.toLowerCase()) ?? "",
};
const start = (command: string, ...args: readonly string[]) =>
  windowsInvocation(command, args, ENVIRONMENT, disk);
const PROMPT = 'Say "hi" & del C:\\*\nthen %PATH%';

describe("win32: a user's program", () => {
  test.each([
    ["a program", "where", "C:\\Windows\\System32\\where.exe", []],
    ["the first one in PATH", "both", "C:\\Windows\\System32\\both.exe", []],
    ["a script that npm installed", "codex", NODE, [`${TOOLS}\\node_modules\\@openai\\codex\\bin\\codex.js`]],
    [
      "that script by its whole path",
      `${TOOLS}\\codex.cmd`,
      NODE,
      [`${TOOLS}\\node_modules\\@openai\\codex\\bin\\codex.js`],
    ],
    [
      "a program that npm installed",
      "claude",
      `${TOOLS}\\node_modules\\@anthropic-ai\\claude-code\\bin\\claude.exe`,
      [],
    ],
    [
      "a script that pnpm installed",
      "scanner",
      NODE,
      [`${TOOLS}\\global\\5\\node_modules\\scanner\\bin.mjs`],
    ],
    [
      "a script with options for Node",
      "options",
      NODE,
      ["--no-warnings", "--max-old-space-size=200", `${TOOLS}\\node_modules\\@openai\\codex\\bin\\codex.js`],
    ],
  ])("%s is started itself, and gets every word as it is", (_what, command, program, before) => {
    expect(start(command, "-p", PROMPT)).toEqual({ command: program, args: [...before, "-p", PROMPT] });
  });

  test("another batch file gets its words from a shell, in quotes", () => {
    expect(start("own", "a b", "c&calc", "d\\")).toEqual({
      command: "C:\\Windows\\System32\\cmd.exe",
      args: ["/d", "/s", "/c", `""${TOOLS}\\own.bat" "a b" "c&calc" "d\\\\""`],
      isVerbatim: true,
    });
  });

  test.each(['say "hi"', "%PATH%", "two\nlines", "two\rlines"])(
    "another batch file gets no word that the shell would read: %j",
    (word) => {
      expect(() => start("own", word)).toThrow(
        /own\.bat is a batch file, and no batch file gets .*Name the program/,
      );
      expect(() => start("python-tool", word)).toThrow(/is a batch file/);
    },
  );

  test.each(["nothing", "nothing.exe", "codex.js", ".\\codex"])(
    "%s is nowhere, and not looked for in the working folder",
    (name) => {
      const { command, args } = start(name, "a");
      expect(command).toMatch(/^\\\\\?\\not-in-PATH\\/);
      expect(args).toEqual(["a"]);
    },
  );
});
