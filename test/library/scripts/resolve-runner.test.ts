import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type RunnerRequest, resolveRunner } from "../../../src/library/scripts/resolve-runner.ts";
import { createSandbox, type Sandbox } from "../../support/sandbox.ts";

/** A machine with one folder of programs, a library, and a project. */
function createMachine() {
  const sandbox = createSandbox();
  const file = sandbox.write("library/ui/scripts/x.ts", "");
  const request = (runner: readonly string[], changes: Partial<RunnerRequest> = {}): RunnerRequest => ({
    label: "ui: scripts/x.ts",
    runner,
    file,
    cwd: sandbox.project,
    searchPath: sandbox.path("bin"),
    homes: [sandbox.home],
    platform: "linux",
    node: "/usr/server/node",
    sandboxed: false,
    ...changes,
  });
  return { sandbox, file, request };
}

function program(sandbox: Sandbox, file: string, text = "#!/bin/sh\n"): string {
  const written = sandbox.write(file, text);
  chmodSync(written, 0o755);
  return written;
}

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
  test.each([
    ["beside the script", "library/ui/scripts/node_modules/.bin/tsx"],
    ["in a parent of the script's folder", "library/node_modules/.bin/tsx"],
    ["in the working folder", "project/node_modules/.bin/tsx"],
    ["in a parent of the working folder", "node_modules/.bin/tsx"],
    ["in PATH", "bin/tsx"],
  ])("gives way to the tool installed %s", (_where, where) => {
    const { sandbox, file, request } = createMachine();
    program(sandbox, "bin/npx");
    const tool = program(sandbox, where);
    expect(resolveRunner(request(["npx", "--yes", "tsx", "--flag"], { sandboxed: true })).command).toEqual([
      tool,
      "--flag",
      file,
    ]);
  });

  test("gives way to the library's tool before the project's", () => {
    const { sandbox, request } = createMachine();
    program(sandbox, "project/node_modules/.bin/tsx");
    const tool = program(sandbox, "library/node_modules/.bin/tsx");
    expect(resolveRunner(request(["npx", "tsx"])).command[0]).toBe(tool);
  });

  test("runs a tool that is written for Node with Node itself", () => {
    const { sandbox, file, request } = createMachine();
    const node = program(sandbox, "server/node");
    const tool = program(sandbox, "node_modules/.bin/tsx", "#!/usr/bin/env node\n");
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

  test("is nothing more for a program of the system", () => {
    expect(resolveRunner(createMachine().request(["/bin/sh"])).places).toEqual([]);
  });
});
