import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { PLATFORMS } from "#util";
import { createSandbox, DISK_FOLDER, type Sandbox } from "../../../../test/support/sandbox.ts";
import { type RunnerRequest, resolveRunner } from "../../src/scripts/resolve-runner.ts";

/** A machine with one folder of programs, a library, and a project. */
function createMachine() {
  const sandbox = createSandbox(DISK_FOLDER);
  const file = sandbox.write("library/ui/scripts/x.ts", "");
  const request = (runner: readonly string[], changes: Partial<RunnerRequest> = {}): RunnerRequest => ({
    label: "ui: scripts/x.ts",
    runner,
    file,
    content: [sandbox.path("library"), sandbox.project],
    searchPath: sandbox.path("bin"),
    homes: [sandbox.home],
    platform: PLATFORMS.linux,
    node: "/usr/server/node",
    typescript: () => undefined,
    sandboxed: false,
    network: false,
    environment: {},
    isReal: () => true,
    ...changes,
  });
  return { sandbox, file, request };
}

function program(sandbox: Sandbox, file: string, text = "#!/bin/sh\n"): string {
  const written = sandbox.write(file, text);
  chmodSync(written, 0o755);
  return written;
}

describe("on Windows, the program that runs a script", () => {
  const WINDOWS = { platform: PLATFORMS.win32, environment: { LOCALAPPDATA: "nowhere" } };

  test.each([
    ["Python's launcher first", ["py.exe", "python.exe", "python3.exe"], ["py.exe", "-3", "-u"]],
    ["then python", ["python.exe", "python3.exe"], ["python.exe", "-u"]],
    ["then python3", ["python3.exe"], ["python3.exe", "-u"]],
  ])("is for python3 %s", (_what, there, [expected = "", ...args]) => {
    const { sandbox, file, request } = createMachine();
    for (const name of there) program(sandbox, `bin/${name}`);
    const { command } = resolveRunner(request(["python3", "-u"], WINDOWS));
    expect(command).toEqual([sandbox.path(`bin/${expected}`), ...args, file]);
  });

  test("is none that has only the name", () => {
    const { sandbox, file, request } = createMachine();
    for (const name of ["python.exe", "python3.exe"]) program(sandbox, `bin/${name}`);
    const isReal = (_name: string, [found]: readonly [string, ...string[]]) => found.endsWith("python3.exe");
    const { command } = resolveRunner(request(["python3"], { ...WINDOWS, isReal }));
    expect(command).toEqual([sandbox.path("bin/python3.exe"), file]);
    expect(() => resolveRunner(request(["python3"], { ...WINDOWS, isReal: () => false }))).toThrow(
      /"python3" is not installed: .*python\.exe is not what its name says.*scripts\.runners/,
    );
  });

  test.each([
    ["WSL's", "C:\\Windows\\System32\\bash.exe", false],
    ["the shop's", "C:\\Users\\a\\AppData\\Local\\Microsoft\\WindowsApps\\bash.exe", false],
    ["Git's", "C:\\Program Files\\Git\\bin\\bash.exe", true],
  ])("is for bash: %s, %s: %s", (_what, file, isReal) => {
    expect(PLATFORMS.win32.programs.isReal("bash", [file])).toBe(isReal);
  });

  test("is for bash Git's, wherever that is installed, before the one in PATH", () => {
    const environment = { ProgramFiles: "C:\\Program Files", LOCALAPPDATA: "C:\\Users\\a\\AppData\\Local" };
    expect(PLATFORMS.win32.programs.interpreters("bash", environment)).toEqual([
      ["C:\\Program Files\\Git\\bin\\bash.exe"],
      ["C:\\Users\\a\\AppData\\Local\\Programs\\Git\\bin\\bash.exe"],
      ["bash"],
    ]);
  });
});

describe("the program that runs a script", () => {
  test("is found in PATH and gets its arguments and the script", () => {
    const { sandbox, file, request } = createMachine();
    const bash = program(sandbox, "bin/bash");
    expect(resolveRunner(request(["bash", "-e"])).command).toEqual([bash, "-e", file]);
  });

  test("may be named by its whole path", () => {
    const { sandbox, file, request } = createMachine();
    const bash = program(sandbox, "elsewhere/bash");
    expect(resolveRunner(request([bash])).command).toEqual([bash, file]);
  });

  test("is not looked for in the working folder, whatever PATH says", () => {
    const { sandbox, request } = createMachine();
    program(sandbox, "project/bash");
    const searchPath = [".", "", sandbox.path("bin")].join(path.delimiter);
    expect(() => resolveRunner(request(["bash"], { searchPath }))).toThrow(/not in PATH/);
  });

  test.each([
    ["a folder", (sandbox: Sandbox) => mkdirSync(sandbox.path("bin/tool"), { recursive: true })],
    ["a file that cannot be executed", (sandbox: Sandbox) => sandbox.write("bin/tool", "")],
    [
      "a link to nothing",
      (sandbox: Sandbox) => {
        mkdirSync(sandbox.path("bin"));
        symlinkSync("nowhere", sandbox.path("bin/tool"));
      },
    ],
    ["nothing", () => {}],
  ])("is not %s, and the refusal says what to set", (_what, make) => {
    const { sandbox, request } = createMachine();
    make(sandbox);
    expect(() => resolveRunner(request(["tool"]))).toThrow(
      expect.objectContaining({
        detail: { code: "library", reason: "no-runner" },
        message: expect.stringMatching(/^ui: scripts\/x\.ts: .*"tool".*scripts\.runners/),
      }),
    );
  });

  test.each(["./tool", "tools/tool", "../bin/tool", "bin\\tool"])(
    "is not named by a relative path such as %s, even where that leads to one",
    (name) => {
      const { sandbox, request } = createMachine();
      program(sandbox, "bin/tool");
      program(sandbox, "bin/tools/tool");
      expect(() => resolveRunner(request([name]))).toThrow(
        /is a relative path\. In scripts\.runners, set an absolute path, or the name alone/,
      );
    },
  );

  test("must be named at all", () => {
    expect(() => resolveRunner(createMachine().request([]))).toThrow(/no runner is configured/);
  });

  test("is the server's own Node where PATH has none", () => {
    const { sandbox, file, request } = createMachine();
    const own = program(sandbox, "server/node");
    expect(resolveRunner(request(["node"], { node: own })).command).toEqual([own, file]);
    const better = program(sandbox, "bin/node");
    expect(resolveRunner(request(["node"], { node: own })).command).toEqual([better, file]);
  });
});

describe("npx", () => {
  test("gives way to the tool in PATH", () => {
    const { sandbox, file, request } = createMachine();
    program(sandbox, "bin/npx");
    const tool = program(sandbox, "bin/tsx");
    expect(resolveRunner(request(["npx", "--yes", "tsx", "--flag"], { sandboxed: true })).command).toEqual([
      tool,
      "--flag",
      file,
    ]);
  });

  test("tsx gives way to the server's own Node, which needs no tool", () => {
    const { file, request } = createMachine();
    const typescript = {
      args: ["--import", "file:///opt/server/typescript.mjs"],
      file: "/opt/server/typescript.mjs",
    };
    expect(resolveRunner(request(["npx", "tsx"], { typescript: () => typescript, sandboxed: true }))).toEqual(
      {
        command: ["/usr/server/node", ...typescript.args, file],
        places: [typescript.file],
      },
    );
    expect(() =>
      resolveRunner(
        request(["npx", "tsx"], { typescript: () => typescript, file: "/library/x.rb", sandboxed: true }),
      ),
    ).toThrow(/tsx is not installed/);
  });

  test("runs a tool that is written for Node with Node itself", () => {
    const { sandbox, file, request } = createMachine();
    const node = program(sandbox, "server/node");
    const tool = program(sandbox, "bin/tsx", "#!/usr/bin/env node\n");
    expect(resolveRunner(request(["npx", "tsx"], { node })).command).toEqual([node, tool, file]);
  });

  test("is used as configured without a sandbox", () => {
    const { sandbox, file, request } = createMachine();
    const npx = program(sandbox, "bin/npx");
    expect(resolveRunner(request(["npx", "tsx"])).command).toEqual([npx, "tsx", file]);
    expect(resolveRunner(request(["npx", "-p", "x", "tsx"])).command).toEqual([npx, "-p", "x", "tsx", file]);
  });

  test.each([
    [["npx", "tsx"], /tsx is not installed.*no network.*npm install --global tsx.*scripts\.runners/],
    [["npx", "tsx@4"], /"npx tsx@4" may download code.*scripts\.runners/],
    [["npx", "-p", "x", "tsx"], /may download code/],
  ])("is refused in a sandbox, which has no network: %j", (runner, message) => {
    const { sandbox, request } = createMachine();
    program(sandbox, "bin/npx");
    expect(() => resolveRunner(request(runner, { sandboxed: true }))).toThrow(message);
  });
});

describe("what a program is made of", () => {
  test.each([
    ["an installation of its own", "opt/node/bin/node", ["opt/node"]],
    ["a folder without a bin", "opt/tool/tool", ["opt/tool"]],
    ["a version in a home folder", "home/.nvm/versions/v20/bin/node", ["home/.nvm/versions/v20"]],
    ["a file in a home folder", "home/node", ["home/node"]],
    ["a file in a home folder's bin", "home/bin/node", ["home/bin/node"]],
    ["a tool among packages", "opt/app/node_modules/a/node_modules/b/cli", ["opt/app/node_modules"]],
  ])("is %s", (_what, file, places) => {
    const { sandbox, request } = createMachine();
    const tool = program(sandbox, file);
    expect(resolveRunner(request([tool])).places).toEqual(places.map((place) => sandbox.path(place)));
  });

  test("leaves out the other contents of a shared folder in a home folder", () => {
    const { sandbox, request } = createMachine();
    const tool = program(sandbox, "home/.cargo/bin/tool");
    sandbox.write("home/.cargo/credentials.toml", "secret");
    sandbox.write("home/.cargo/lib/a.so", "");
    expect(resolveRunner(request([tool])).places).toEqual([
      tool,
      sandbox.path("home/.cargo/bin"),
      sandbox.path("home/.cargo/lib"),
    ]);
  });

  test("follows links and the first line to other installations", () => {
    const { sandbox, request } = createMachine();
    program(sandbox, "opt/python/bin/python3.12", "binary");
    mkdirSync(sandbox.path("venv/bin"), { recursive: true });
    symlinkSync("../../opt/python/bin/python3.12", sandbox.path("venv/bin/python3"));
    const tool = program(sandbox, "opt/tool/bin/tool", `#! ${sandbox.path("venv/bin/python3")} -s\n`);
    expect(resolveRunner(request([tool])).places).toEqual([
      sandbox.path("opt/tool"),
      sandbox.path("venv"),
      sandbox.path("opt/python"),
    ]);
  });

  test.each([
    ["a home folder", "home/tool", "home/tool"],
    ["a folder in a home folder that holds all programs", "home/bin/tool", "home/bin/tool"],
    ["a parent of a home folder", "tool", "tool"],
    ["a parent of a home folder, as a prefix", "bin/tool", "bin/tool"],
  ])("S1: is never %s", (_what, file, place) => {
    const { sandbox, request } = createMachine();
    const tool = program(sandbox, file);
    expect(resolveRunner(request([tool])).places).toEqual([sandbox.path(place)]);
  });

  test("S1: is by its real path, and is started by it where its own is not shown", () => {
    const { sandbox, file, request } = createMachine();
    const real = program(sandbox, "home/.nvm/versions/node/v20/bin/node");
    symlinkSync(real, sandbox.path("home/node"));
    expect(resolveRunner(request([sandbox.path("home/node")], { sandboxed: true }))).toEqual({
      command: [real, file],
      places: [real, sandbox.path("home/.nvm/versions/node/v20")],
    });
  });

  test.each([
    ["a link of the project", (sandbox: Sandbox) => symlinkSync("/bin", sandbox.path("project/bin"))],
    [
      "a link of the project to an installation",
      (sandbox: Sandbox) => {
        program(sandbox, "srv/app/bin/sh");
        symlinkSync(sandbox.path("srv/app/bin"), sandbox.path("project/bin"));
      },
    ],
    [
      "a first line",
      (sandbox: Sandbox) => program(sandbox, "project/bin/sh", `#!${program(sandbox, "srv/app/x")}\n`),
    ],
  ])("S1: follows nothing in the project that the operator names: %s", (_what, make) => {
    const { sandbox, request } = createMachine();
    make(sandbox);
    expect(resolveRunner(request([sandbox.path("project/bin/sh")])).places).toEqual([]);
  });

  test.each([
    ["a relative first line", "#!node_modules/.bin/env /srv/app/deploy.sh\n"],
    ["another program called env", "#!/opt/evil/env /srv/app/deploy.sh\n"],
  ])("S1: does not follow %s", (_what, text) => {
    const { sandbox, request } = createMachine();
    const tool = program(sandbox, "opt/tool/bin/tool", text);
    expect(resolveRunner(request([tool])).places).toEqual([sandbox.path("opt/tool")]);
  });

  test("is nothing more for a program of the system", () => {
    expect(resolveRunner(createMachine().request(["/bin/sh"])).places).toEqual([]);
  });
});
