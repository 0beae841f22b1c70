import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createEventSink } from "../support/event-sink.ts";
import {
  page,
  serveLibraryInProcess as serveLibrary,
  shareLibrary,
  withScripts,
} from "../support/library.ts";
import { createSandbox, DISK_FOLDER } from "../support/sandbox.ts";

const run = (file: string, args: Readonly<Record<string, string>> = {}) => ({ skill_path: "s", file, args });

describe("seed 004 §12.1: path traversal prevention", () => {
  const server = shareLibrary({
    "s.md": page("scripts", "Has a folder", "assets:\n  - file: a..b/fine...txt"),
    "s/a..b/fine...txt": "fine",
  });
  const PATHS = [
    "../s.md",
    "a/../../s.md",
    "..",
    "a/..",
    "/etc/passwd",
    "//etc/passwd",
    "..\\s.md",
    "a\\..\\..\\s.md",
    "C:\\Windows\\win.ini",
    "C:/Windows/win.ini",
    "a\0b",
  ];
  test.each(PATHS)("get_asset and run_script refuse %j", async (file) => {
    const refused = { error: true, message: expect.stringMatching(/^Path traversal is not allowed/) };
    expect(await server().call("get_asset", { skill_path: "s", file })).toEqual(refused);
    expect(await server().call("run_script", run(file))).toEqual(refused);
  });
  test("dots that lead nowhere are part of a name", async () => {
    const answer = await server().call("get_asset", { skill_path: "s", file: "a..b/fine...txt" });
    expect(answer).toMatchObject({ content: "fine" });
  });
  test.each(["../s", "/etc/passwd", "ui/../../s", "s\0"])(
    "a skill path is never a path on disk: %j",
    async (path) => {
      const answer = await server().call("get_asset", { skill_path: path, file: "x" });
      expect(answer.message).toMatch(/^Skill not found/);
    },
  );
});

describe("seed 004 §12.2: script execution sandboxing", () => {
  const odd = "we ird;$(touch made).sh";
  const server = shareLibrary({
    ...withScripts(
      {
        "declared.sh": "echo ran\n",
        [`'${odd}'`]: "",
        "rubby.rb": "puts 1\n",
        "quote.sh": 'printf "%s|" "$#" "$SKILL_ARG_TEXT"\n',
        "names.sh": "env | grep ^SKILL_ARG_ | sort\n",
        "slow.sh": "echo partial\nsleep 60\n",
        "much.sh": "yes | head -c 300000\nyes | head -c 200000 >&2\n",
        "stdin.sh": 'if read -r line; then echo "read $line"; else echo "no input"; fi\n',
      },
      "scripts:\n  timeout_seconds: 1\n  max_output_bytes: 100000\n",
    ),
    "s/undeclared.sh": "echo ran\n",
    [`s/${odd}`]: "echo odd\n",
  });
  const call = (file: string, args: Readonly<Record<string, string>> = {}) =>
    server().call("run_script", run(file, args));

  test("Declaration required", async () => {
    expect(await call("declared.sh")).toMatchObject({ success: true, stdout: "ran\n" });
    expect((await call("undeclared.sh")).message).toMatch(/^Script not declared/);
  });
  test("Extension whitelist", async () => {
    expect((await call("rubby.rb")).message).toContain("Allowed: .sh, .ts, .js, .py");
    const { call: other } = await serveLibrary(
      createSandbox(DISK_FOLDER),
      withScripts({ "a.sh": "", "b.js": "console.log('js')\n" }, "scripts:\n  allowed_extensions: [.js]\n"),
    );
    expect((await other("run_script", run("a.sh"))).message).toContain("Allowed: .js");
    expect(await other("run_script", run("b.js"))).toMatchObject({ stdout: "js\n" });
  });
  test("No shell", async () => {
    expect(await call(odd)).toMatchObject({ success: true, stdout: "odd\n" });
    expect(existsSync(`${server().dir}/s/made`)).toBe(false);
  });
  test("Env var args only", async () => {
    const text = "$(touch made) `id` \"; rm -rf ~ #\n'";
    expect(await call("quote.sh", { text })).toMatchObject({ stdout: `0|${text}|` });
    expect(await call("names.sh", { "client-id": "1", deep: "2", été: "3" })).toMatchObject({
      stdout: "SKILL_ARG_CLIENT_ID=1\nSKILL_ARG_DEEP=2\nSKILL_ARG__T_=3\n",
    });
  });
  test("Timeout", async () => {
    expect(await call("slow.sh")).toMatchObject({ success: false, exit_code: 137, stdout: "partial\n" });
  });
  test("Output limits", async () => {
    const answer = await call("much.sh");
    expect(answer).toMatchObject({ success: true, exit_code: 0 });
    expect(Buffer.byteLength(String(answer["stdout"]))).toBe(100_000);
    expect(Buffer.byteLength(String(answer["stderr"]))).toBe(100_000);
  });
  test("No stdin", async () => {
    expect(await call("stdin.sh")).toMatchObject({ stdout: "no input\n" });
  });
  test("Global kill switch", async () => {
    const { call: other } = await serveLibrary(
      createSandbox(DISK_FOLDER),
      withScripts({ "a.sh": "echo ran\n" }, "scripts:\n  enabled: false\n"),
    );
    expect((await other("run_script", run("a.sh"))).message).toContain("disabled globally");
    // What is not run can still be read.
    expect(await other("get_asset", { skill_path: "s", file: "a.sh" })).toMatchObject({
      content: "echo ran\n",
    });
  });
  test("Audit trail", async () => {
    const sink = await createEventSink();
    const server = await serveLibrary(createSandbox(DISK_FOLDER), withScripts({ "a.sh": "exit 3\n" }), {
      env: { ANALYTICS_ENDPOINT: sink.url },
    });
    await server.call("run_script", run("a.sh", { password: "hunter2" }));
    await server.close();
    expect(sink.taken()).toMatchObject([
      {
        type: "script_executed",
        data: {
          skill_path: "s",
          file: "a.sh",
          execution_mode: "server",
          success: false,
          exit_code: 3,
          duration_ms: expect.any(Number),
          args_provided: ["password"],
        },
      },
    ]);
    expect(JSON.stringify(sink.requests())).not.toContain("hunter2");
  });
});
