import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { waitUntil } from "../../../../test/support/wait-until.ts";
import { inTempFolder } from "../../src/sandbox/private-folder.ts";
import { createScriptFixture, layersHere, shareRunners } from "./script-fixture.ts";

/** Everything here holds with and without a sandbox. */
const LAYERS = await layersHere();
const withRunner = shareRunners();

describe.each(LAYERS)("a script $layer", ({ policy, kind }) => {
  test("gives its output, its exit code and how it was run", async () => {
    const { run } = withRunner(policy);
    const outcome = await run('echo "hello $SKILL_ARG_WHO"; echo oops >&2; exit 3', {
      args: { who: "you & me" },
    });
    expect(outcome).toEqual({
      success: false,
      exitCode: 3,
      stdout: "hello you & me\n",
      stderr: "oops\n",
      durationMs: expect.any(Number),
      sandbox: kind,
      warning: kind === "none" ? expect.stringContaining("without a sandbox") : undefined,
      timedOut: false,
      filledDisk: false,
      stdoutCut: false,
      stderrCut: false,
    });
  });

  test("that dies of a signal has 128 and its number as exit code", async () => {
    const { run } = withRunner(policy);
    const outcomes = await Promise.all(
      ["true", "kill -KILL $$", "kill -TERM $$", "kill -SEGV $$"].map((text) => run(text)),
    );
    expect(outcomes.map(({ exitCode, success }) => [exitCode, success])).toEqual([
      [0, true],
      [137, false],
      [143, false],
      [139, false],
    ]);
  });

  test("sees PATH, HOME, temp, the locale and its arguments, and nothing else", async () => {
    const { sandbox, run } = withRunner(policy);
    const file = sandbox.write("library/ui/env.js", "console.log(JSON.stringify(process.env))");
    const { stdout } = await run("", { file, runner: ["node"], args: { "my-key": "v" } });
    const environment = JSON.parse(stdout) as Record<string, string>;
    // bubblewrap says where it starts a script.
    delete environment["PWD"];
    const { TMPDIR } = environment;
    expect(environment).toEqual({
      PATH: process.env["PATH"],
      HOME: path.join(path.dirname(TMPDIR ?? ""), "home"),
      LANG: "C.UTF-8",
      TMPDIR: expect.stringContaining("skills-mcp-run-"),
      TEMP: TMPDIR,
      TMP: TMPDIR,
      SKILL_ARG_MY_KEY: "v",
    });
  });

  test("has a folder of its own to write to, which is gone afterwards", async () => {
    const { run } = withRunner(policy);
    const text =
      'mkdir "$TMPDIR/a" && echo x > "$TMPDIR/a/b" && cat "$TMPDIR/a/b" && stat -c %a "$TMPDIR/.." && echo "$TMPDIR"';
    const { stdout } = await run(text);
    const [content, mode, folder = ""] = stdout.trim().split("\n");
    expect(content).toBe("x");
    if (kind === "none") expect(mode).toBe("700");
    expect(existsSync(path.dirname(folder))).toBe(false);
  });

  test("has no input to wait for", async () => {
    expect(await withRunner(policy).run("cat; echo done")).toMatchObject({ stdout: "done\n" });
  });

  test("has no open file except its two outputs", async () => {
    const { stdout } = await withRunner(policy).run(
      'for fd in /proc/$$/fd/*; do readlink "$fd"; done | sort',
    );
    expect(stdout.split("\n").filter((target) => target.startsWith("socket:"))).toHaveLength(2);
  });

  test("is cut at the cap by bytes, and runs on", async () => {
    const { sandbox, run } = withRunner(policy);
    const file = sandbox.write(
      "library/ui/flood.js",
      'process.stdout.write("é".repeat(700_000), () => process.stderr.write("€".repeat(700_000), () => process.exit(5)));',
    );
    const outcome = await run("", { file, runner: ["node"], maxOutputBytes: 1024 ** 2 });
    expect(Buffer.byteLength(outcome.stdout)).toBe(1024 ** 2);
    expect(outcome.stdout).toBe("é".repeat(524_288));
    expect(outcome.stderr).toBe("€".repeat(349_525));
    expect(outcome).toMatchObject({ exitCode: 5, stdoutCut: true, stderrCut: true });
  });

  test("over 64 MiB is drained, and the script ends by itself", async () => {
    const outcome = await withRunner(policy).run("yes | head -c 80000000; echo last >&2; exit 3", {
      maxOutputBytes: 10,
    });
    expect(outcome).toMatchObject({ success: false, exitCode: 3, timedOut: false, stdoutCut: true });
    expect([outcome.stdout, outcome.stderr]).toEqual(["y\n".repeat(5), "last\n"]);
  });

  test("without an end is read until the time limit, and what came first stays", async () => {
    const outcome = await withRunner(policy).run("echo first >&2; exec yes", {
      maxOutputBytes: 10,
      timeoutMs: 1_000,
    });
    expect(outcome).toMatchObject({ success: false, exitCode: 137, timedOut: true, stdoutCut: true });
    expect(outcome.stdout).toBe("y\n".repeat(5));
    expect(outcome.stderr).toMatch(/^first\n/);
  });

  test("may write bytes that are no text", async () => {
    expect((await withRunner(policy).run("printf 'a\\377\\303b\\0'")).stdout).toBe("a\ufffd\ufffdb\0");
  });

  test("tells its lines as they come", async () => {
    const { sandbox, plan, runner } = withRunner(policy);
    const lines: string[] = [];
    const go = sandbox.path("library/ui/go");
    const outcome = runner.run(
      plan(`echo one; echo two >&2; until [ -e "${go}" ]; do sleep 0.02; done; printf three`, {
        onLine: (line) => lines.push(line),
      }),
    );
    await waitUntil("both lines are reported while the script runs", () => lines.length === 2);
    sandbox.write("library/ui/go", "");
    await outcome;
    expect(lines.slice(0, 2).sort()).toEqual(["one", "two"]);
    expect(lines.slice(2)).toEqual(["three"]);
  });

  test("may be one for bash, for python3, for node, or for a tool of the project", async () => {
    const { sandbox, run } = withRunner(policy);
    const write = (name: string, text: string): string => sandbox.write(`library/ui/${name}`, text);
    const args = { x: "42" };
    const outcomes = await Promise.all([
      run('echo $SKILL_ARG_X; cat <<< "here"', { args }),
      run("", {
        file: write("a.py", "import os; print(os.environ['SKILL_ARG_X'])"),
        runner: ["python3"],
        args,
      }),
      run("", { file: write("a.js", "console.log(process.env.SKILL_ARG_X)"), runner: ["node"], args }),
      run("", {
        file: write("a.ts", "const x: number = 42; console.log(x);"),
        runner: ["npx", "tsx"],
        cwd: process.cwd(),
      }),
    ]);
    expect(outcomes.map(({ stdout }) => stdout)).toEqual(["42\nhere\n", "42\n", "42\n", "42\n"]);
    expect(outcomes.map(({ stderr, success }) => [stderr, success])).toEqual(outcomes.map(() => ["", true]));
  });

  test("works in the folder it is given, and changes it only if it may", async () => {
    const { sandbox, run } = withRunner(policy);
    const text = "pwd; echo made > file && cat file";
    expect(await run(text, { cwd: sandbox.project, cwdWritable: true })).toMatchObject({
      stdout: `${sandbox.project}\nmade\n`,
    });
    expect(readdirSync(sandbox.project)).toEqual(["file"]);
  });

  test("is refused with arguments that cannot be passed, before anything runs", async () => {
    const { run } = withRunner(policy);
    for (const args of [{ a: "x".repeat(200_000) }, { a: "\0" }, { "a-b": "1", a_b: "2" }]) {
      await expect(run("exit 0", { args })).rejects.toMatchObject({ detail: { reason: "bad-argument" } });
    }
  });

  test("is refused when all its arguments together are too long for the system", async () => {
    const args = Object.fromEntries(
      Array.from({ length: 400 }, (_, index) => [`a${index}`, "x".repeat(32_000)]),
    );
    await expect(withRunner(policy).run("exit 0", { args })).rejects.toMatchObject({
      detail: { reason: "bad-argument" },
      message: expect.stringContaining("too long"),
    });
  });

  test("is refused in a folder that is not there", async () => {
    const { sandbox, run } = withRunner(policy);
    await expect(run("exit 0", { cwd: sandbox.path("nowhere") })).rejects.toMatchObject({
      detail: { reason: "bad-folder" },
      message: expect.stringContaining(sandbox.path("nowhere")),
    });
  });

  test("is refused when nothing can run it", async () => {
    await expect(withRunner(policy).run("", { runner: ["no-such-program"] })).rejects.toMatchObject({
      detail: { reason: "no-runner" },
    });
  });
});

describe("scripts at the same time", () => {
  test("run so many at once, wait in order, and are refused beyond that", async () => {
    const { sandbox, plan, runner } = createScriptFixture("off", { atOnce: 2, waiting: 2 });
    const order = sandbox.path("order");
    const go = sandbox.path("go");
    const runs = ["a", "b", "c", "d"].map((name) =>
      runner.run(plan(`echo ${name} >> "${order}"; until [ -e "${go}" ]; do sleep 0.02; done`)),
    );
    await expect(runner.run(plan("exit 0"))).rejects.toMatchObject({ detail: { reason: "busy" } });
    await waitUntil("two have begun", () => lines(order).length === 2);
    sandbox.write("go", "");
    await Promise.all(runs);
    expect(lines(order).slice(0, 2).sort()).toEqual(["a", "b"]);
    expect(lines(order).slice(2).sort()).toEqual(["c", "d"]);
    expect(await runner.run(plan("exit 0"))).toMatchObject({ success: true });
  });
});

describe("the policy", () => {
  const nothing = { environment: { PATH: "/nowhere", HOME: "/nowhere" } };

  test("off never probes for a sandbox and logs nothing", async () => {
    const { runner, log } = createScriptFixture("off");
    expect(await runner.sandbox()).toMatchObject({ kind: "none", reason: "scripts.sandbox is off" });
    expect(log).toEqual([]);
  });

  test("preferred runs on without one and says why, once", async () => {
    const { run, log, runner } = createScriptFixture("preferred", nothing);
    const shell = { runner: ["/bin/sh"] };
    expect(await run("echo 1", shell)).toMatchObject({ stdout: "1\n", sandbox: "none" });
    expect(await run("echo 2", shell)).toMatchObject({ stdout: "2\n", sandbox: "none" });
    const { kind, ...why } = await runner.sandbox();
    expect(kind).toBe("none");
    expect(log).toHaveLength(1);
    expect(log[0]).toContain("scripts run without a sandbox");
    expect(log[0]).toContain("reason" in why ? why.reason : "a reason");
  });

  test("required refuses without one, and says why and what to do", async () => {
    const { run, log } = createScriptFixture("required", nothing);
    await expect(run("echo 1", { runner: ["/bin/sh"] })).rejects.toMatchObject({
      detail: { code: "library", reason: "no-sandbox" },
      message: expect.stringMatching(
        /^ui: scripts\/x\.sh: scripts\.sandbox is required.*Set scripts\.sandbox to preferred/,
      ),
    });
    expect(log).toEqual([]);
  });
});

describe("a temp folder that cannot be used", () => {
  test.each(["off", "preferred"] as const)(
    "refuses the script with sandbox %s, and the next one is run as if nothing had been",
    async (policy) => {
      const { run, runner, log, sandbox } = createScriptFixture(policy);
      const before = process.env["TMPDIR"];
      onTestFinished(() => putBack(before));
      process.env["TMPDIR"] = sandbox.path("gone");
      await expect(run("echo 1")).rejects.toMatchObject({
        detail: { code: "library", reason: "no-temp-folder" },
        message: expect.stringContaining(sandbox.path("gone")),
      });
      putBack(before);
      expect(await run("echo 1")).toMatchObject({ stdout: "1\n", sandbox: (await runner.sandbox()).kind });
      // The temp folder never counts against the sandbox.
      expect(log.join("\n")).not.toContain("gone");
    },
  );

  test.each([
    ["ENOSPC", "its disk is full"],
    ["EACCES", "it is not writable"],
    ["EIO", "EIO"],
  ])("for %s says so", async (code, reason) => {
    const cause = Object.assign(new Error("mkdir"), { code });
    await expect(inTempFolder(() => Promise.reject(cause))).rejects.toMatchObject({
      message: expect.stringContaining(`cannot be used: ${reason}. `),
      cause,
    });
  });

  test("is not what a bug is taken for", async () => {
    const bug = new Error("odd");
    await expect(inTempFolder(() => Promise.reject(bug))).rejects.toBe(bug);
  });
});

function putBack(temp: string | undefined): void {
  if (temp === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = temp;
}

function lines(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
}
