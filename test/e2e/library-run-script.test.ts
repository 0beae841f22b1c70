import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { NODE } from "../support/bin.ts";
import {
  type LibraryFiles,
  markedProcesses,
  page,
  SAMPLE,
  serveLibraryInProcess as serveLibrary,
  shareLibrary,
  withScripts,
} from "../support/library.ts";
import { createSandbox, DISK_FOLDER } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

const script = (file: string, more = "") => `  - file: ${file}\n    execution: server${more}`;

const run = (file: string, args: Readonly<Record<string, string>> = {}, cwd?: string) => ({
  skill_path: "s",
  file,
  args,
  ...(cwd === undefined ? {} : { cwd }),
});

describe("seed 004 §8.4: run_script, validation cascade", () => {
  // Each step's call also violates every later step, so only the order decides which one is told.
  const files: LibraryFiles = {
    "s.md": page(
      "scripts",
      "Steps",
      [
        "scripts:",
        "  - file: for-claude.rb",
        "    args: [{ name: needed }]",
        script("no-args.rb", "\n    args: [{ name: one }, { name: two, description: The second }]"),
        script("extension.rb"),
        script("missing.x"),
        script("no-runner.x"),
      ].join("\n"),
    ),
    "s/no-runner.x": "",
    "config.yaml": "scripts:\n  allowed_extensions: [.x, .sh]\n",
  };
  const STEPS = [
    ["skill exists?", { skill_path: "nope", file: "../up.rb" }, /^Skill not found: "nope"/],
    ["path traversal?", { skill_path: "s", file: "../up.rb" }, /^Path traversal is not allowed/],
    [
      "script in frontmatter?",
      { skill_path: "s", file: "undeclared.rb" },
      /^Script not declared: "undeclared\.rb"/,
    ],
    [
      "execution == 'server'?",
      { skill_path: "s", file: "for-claude.rb" },
      /has execution "claude".*get_asset.*bash/,
    ],
    [
      "required args present?",
      { skill_path: "s", file: "no-args.rb" },
      /^Missing required arguments: one, two \(The second\)\.$/,
    ],
    ["extension allowed?", { skill_path: "s", file: "extension.rb" }, /extension "\.rb".*not allowed/],
    ["file exists?", { skill_path: "s", file: "missing.x" }, /"missing\.x".*file does not exist/],
    ["runner configured?", { skill_path: "s", file: "no-runner.x" }, /No runner is configured for "\.x"/],
  ] as const;
  // A library alone cannot allow further extensions.
  const server = shareLibrary(files, { SKILLS_TRUST_CONFIG: "1" });

  test.each(STEPS)("%s", async (_step, args, message) => {
    // A working folder that is not there would be told last of all.
    const answer = await server().call("run_script", { ...args, args: {}, cwd: "/nowhere" });
    expect(answer).toEqual({ error: true, message: expect.stringMatching(message) });
  });

  test("scripts.enabled?", async () => {
    const { call } = await serveLibrary(createSandbox(DISK_FOLDER), {
      ...files,
      "config.yaml": "scripts:\n  enabled: false\n",
    });
    expect(await call("run_script", { skill_path: "nope", file: "../up.rb", args: {} })).toEqual({
      error: true,
      message: "Script execution is disabled globally (scripts.enabled is false).",
    });
  });

  test("an empty list of extensions allows none, and says so", async () => {
    const { call } = await serveLibrary(createSandbox(DISK_FOLDER), {
      ...files,
      "config.yaml": "scripts:\n  allowed_extensions: []\n",
    });
    expect((await call("run_script", run("extension.rb"))).message).toBe(
      'The extension ".rb" of "extension.rb" is not allowed. No extension is allowed (scripts.allowed_extensions).',
    );
  });

  test("extensions in the settings match in upper and lower case", async () => {
    const settings = 'scripts:\n  allowed_extensions: [".SH"]\n  runners: { ".SH": bash }\n';
    const { call } = await serveLibrary(
      createSandbox(DISK_FOLDER),
      withScripts({ "a.sh": "echo ran\n" }, settings),
    );
    expect(await call("run_script", run("a.sh"))).toMatchObject({ success: true, stdout: "ran\n" });
  });

  test.each([
    ["args left out", { skill_path: "s", file: "a.sh" }, "'args' is required"],
    ["a number as an argument", { skill_path: "s", file: "a.sh", args: { n: 1 } }, "'args.n'"],
    ["an unknown parameter", { skill_path: "s", file: "a.sh", args: {}, shell: true }, "'shell'"],
  ])("%s is -32602", async (_what, args, named) => {
    const error: unknown = await server()
      .call("run_script", args)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: -32602 });
    expect(String(error)).toContain(named);
  });
});

describe("seed 004 §8.4: run_script, responses", () => {
  const KEYS = ["success", "exit_code", "stdout", "stderr", "duration_ms", "script", "sandbox"];
  /** Without a sandbox an answer says so. */
  /** The warning says that there was no sandbox, or no network for a script that failed. */
  const keysFor = ({ sandbox, success }: Readonly<Record<string, unknown>>) =>
    sandbox === "none" || success === false ? [...KEYS, "warning"] : KEYS;
  const server = shareLibrary({
    ...SAMPLE,
    ...withScripts({
      "fail.sh": "echo \"Error: Missing required field 'clientId'\" >&2\nexit 1\n",
      "kill.sh": "kill -9 $$\n",
      "lines.sh":
        "go() { until [ -e seen-$1 ]; do sleep 0.02; done; }\necho one; go 1; echo two >&2; go 2; echo three; go 3\n",
      "where.sh": 'pwd\ntouch made-here 2>/dev/null && echo written || echo "read only"\n',
      "read.sh": 'cat "$SKILL_ARG_FILE"\n',
      "runner.js": "console.log(process.env.SKILL_ARG_WHO)\n",
      "runner.py": "import os; print(os.environ['SKILL_ARG_WHO'])\n",
    }),
  });
  const call = (args: Record<string, unknown>) => server().call("run_script", args);

  test("response (success)", async () => {
    const answer = await call({
      skill_path: "ui/react/auth",
      file: "scripts/validate-auth-config.sh",
      args: {},
    });
    expect(Object.keys(answer)).toEqual(keysFor(answer));
    expect(answer).toMatchObject({
      success: true,
      exit_code: 0,
      stdout: "Auth config is valid\n",
      stderr: "",
      duration_ms: expect.any(Number),
      script: "scripts/validate-auth-config.sh",
      sandbox: expect.stringMatching(/^(bubblewrap|seatbelt|none)$/),
    });
  });

  test("response (script failure)", async () => {
    const answer = await call(run("fail.sh"));
    expect(Object.keys(answer)).toEqual(keysFor(answer));
    expect(answer).toMatchObject({
      success: false,
      exit_code: 1,
      stdout: "",
      stderr: "Error: Missing required field 'clientId'\n",
      script: "fail.sh",
    });
  });

  test("response (timeout)", async () => {
    const files = withScripts(
      { "slow.sh": "echo before\necho problem >&2\nsleep 30\necho after\n" },
      "scripts:\n  timeout_seconds: 1\n",
    );
    const slow = await serveLibrary(createSandbox(DISK_FOLDER), files);
    const answer = await slow.call("run_script", run("slow.sh"));
    expect(Object.keys(answer)).toEqual(keysFor(answer));
    expect(answer).toMatchObject({
      success: false,
      exit_code: 137,
      stdout: "before\n",
      stderr: expect.stringMatching(/^problem\n[\s\S]*\[skills-mcp\] Script killed: timeout exceeded\.$/),
      script: "slow.sh",
    });
    expect(answer["duration_ms"]).toBeGreaterThanOrEqual(1000);
  });

  test("a script that dies of a signal is a failure with 128 and the signal", async () => {
    expect(await call(run("kill.sh"))).toMatchObject({ success: false, exit_code: 137 });
  });

  test("L7: a script that is inherited runs, below the path of the child", async () => {
    expect(
      await call({ skill_path: "ui/react/auth", file: "scripts/audit.sh", args: { target: "login" } }),
    ).toMatchObject({ success: true, stdout: "audit of login\n", script: "scripts/audit.sh" });
  });

  test("runners: runner.js", async () => {
    expect(await call(run("runner.js", { who: "me" }))).toMatchObject({ stdout: "me\n", success: true });
  });
  const python = spawnSync("python3", ["--version"]).status === 0;
  test.runIf(python)(`runners: runner.py${python ? "" : " (skipped: no python3 here)"}`, async () => {
    expect(await call(run("runner.py", { who: "me" }))).toMatchObject({ stdout: "me\n", success: true });
  });

  test("S9: runners: .ts on a machine that has nothing but Node, with whatever TypeScript needs", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const files = {
      ...withScripts({
        "runner.ts": [
          'import { greet, type Who } from "./lib.ts";',
          "enum Size { Small = 1, Large }",
          "class Box { constructor(readonly size: Size) {} }",
          "const who: Who = await Promise.resolve({ name: process.env['SKILL_ARG_WHO'] ?? '' });",
          "console.log(greet(who), new Box(Size.Large).size satisfies number);",
        ].join("\n"),
      }),
      "s/lib.ts":
        "export interface Who { name: string }\nexport const greet = <T extends Who>(who: T) => `hi ${who.name}`;\n",
    };
    mkdirSync(sandbox.path("bin"));
    symlinkSync(NODE, sandbox.path("bin/node"));
    const bare = await serveLibrary(sandbox, files, { env: { PATH: sandbox.path("bin") } });
    const answer = { stdout: "hi me 2\n", stderr: "", success: true };
    expect(await bare.call("run_script", run("runner.ts", { who: "me" }))).toMatchObject(answer);
    await bare.close();
    const usual = await serveLibrary(sandbox, files);
    expect(await usual.call("run_script", run("runner.ts", { who: "me" }))).toMatchObject(answer);
  });

  test("S9: args[].default counts, and an argument that has one is never missing", async () => {
    const args =
      "\n    args:\n      - { name: out-file, default: a b.txt }\n      - { name: depth, required: false, default: 3 }";
    const files = {
      "s.md": page("scripts", "Defaults", `scripts:\n${script("d.sh", args)}`),
      "s/d.sh": 'echo "$SKILL_ARG_OUT_FILE|$SKILL_ARG_DEPTH"\n',
    };
    const { call: served } = await serveLibrary(createSandbox(DISK_FOLDER), files);
    expect(await served("run_script", run("d.sh"))).toMatchObject({ stdout: "a b.txt|3\n" });
    expect(await served("run_script", run("d.sh", { depth: "4" }))).toMatchObject({ stdout: "a b.txt|4\n" });
    expect(await served("get_skill", { skill_path: "s" })).toMatchObject({
      scripts: [{ args: [{ name: "out-file", default: "a b.txt" }, { default: "3" }] }],
    });
  });

  test("S9: without cwd a script works in the server's working directory, and reads and writes files there", async () => {
    const project = path.dirname(server().dir);
    writeFileSync(path.join(project, "notes.txt"), "of the project");
    expect(await call(run("where.sh"))).toMatchObject({ stdout: `${project}\nwritten\n` });
    for (const file of ["notes.txt", path.join(project, "notes.txt")])
      expect(await call(run("read.sh", { file }))).toMatchObject({ stdout: "of the project" });
  });

  test("cwd: a folder in the project, and its own files are read-only wherever it works", async () => {
    const own = `${server().dir}/s`;
    const project = server().dir.replace(/\/library$/, "");
    const answer = await call(run("where.sh", {}, "library/s"));
    expect(String(answer["stdout"]).split("\n")[0]).toBe(own);
    if (answer["sandbox"] !== "none") expect(answer["stdout"]).toContain("read only");
    expect(await call(run("where.sh", {}, "."))).toMatchObject({ stdout: `${project}\nwritten\n` });
    expect((await call(run("where.sh", {}, "/"))).message).toContain("outside the project");
    expect((await call(run("where.sh", {}, "nowhere"))).message).toContain("does not exist");
    expect((await call(run("where.sh", {}, "library/s.md"))).message).toBe(
      '"library/s.md" is not a folder. Name a folder as cwd, or leave cwd out.',
    );
  });

  test("progress is told line by line to a client that asks for it", async () => {
    const seen: { progress: number; message?: string }[] = [];
    const answer = await server().call("run_script", run("lines.sh", {}, "."), {
      onprogress(progress) {
        seen.push(progress as { progress: number; message?: string });
        // The script waits for each line to arrive: a client drops progress that comes with the answer.
        writeFileSync(path.join(path.dirname(server().dir), `seen-${progress.progress}`), "");
      },
    });
    expect(answer).toMatchObject({ success: true, stdout: "one\nthree\n", stderr: "two\n" });
    expect(seen.map(({ message }) => message)).toEqual(["one", "two", "three"]);
    expect(seen.map(({ progress }) => progress)).toEqual([1, 2, 3]);
  });
});

describe("a temp folder that cannot be used", () => {
  test.each([
    ["that does not exist", "/nowhere/at/all", "it does not exist"],
    ["that is relative and not there", "not-here", "it does not exist"],
    ["that is a file", "library/s/a.sh", "it is not a folder"],
  ])("%s is an answer that names it and says what to set", async (_what, folder, reason) => {
    const files = withScripts({ "a.sh": "echo ran\n" });
    const { call, log } = await serveLibrary(createSandbox(DISK_FOLDER), files, { env: { TMPDIR: folder } });
    expect(await call("run_script", run("a.sh"))).toEqual({
      error: true,
      message: `Scripts need a temp folder, and ${folder} cannot be used: ${reason}. Fix that, or set TMPDIR to the absolute path of a writable folder and restart the server.`,
    });
    expect(log()).not.toContain("    at ");
  });
});

describe("seed 004 §8.4: run_script, cancelling", () => {
  test.runIf(process.platform === "linux").each(["2025-11-25", "2026-07-28"] as const)(
    "cancelling the request ends the script and what it started, %s",
    async (era) => {
      const sandbox = createSandbox(DISK_FOLDER);
      const mark = `cancelled-${process.pid}-${Date.now()}`;
      const files = withScripts({ "wait.sh": "sleep 61 &\necho started\nwait\n" });
      const { call } = await serveLibrary(sandbox, files, { era });
      const abort = new AbortController();
      const lines: string[] = [];
      const answer = call("run_script", run("wait.sh", { mark }), {
        signal: abort.signal,
        onprogress: ({ message }) => void lines.push(message ?? ""),
      }).catch((error: unknown) => error);
      await waitUntil("the script runs", () => lines.includes("started"));
      expect(markedProcesses(mark)).not.toEqual([]);
      abort.abort("enough");
      expect(await answer).toBeInstanceOf(Error);
      await waitUntil("nothing of it is left", () => markedProcesses(mark).length === 0);
      // The server is well.
      expect(await call("get_skill", { context: "scripts" })).toMatchObject({ skill_path: "s" });
    },
  );
});
