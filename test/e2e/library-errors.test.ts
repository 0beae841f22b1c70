import { describe, expect, test } from "vitest";
import { page, serveLibraryInProcess as serveLibrary, shareLibrary } from "../support/library.ts";
import { createSandbox, DISK_FOLDER } from "../support/sandbox.ts";

const script = (file: string, more = "") => `  - file: ${file}\n    execution: server${more}`;

describe("seed 004 §13: error handling", () => {
  const server = shareLibrary({
    "good.md": page("good", "A good one", "assets:\n  - file: gone.txt\n  - file: big.txt"),
    "good/big.txt": "x".repeat(2048),
    "bad.md": "---\nkeywords: [bad]\n---\n",
    "s.md": page(
      "scripts",
      "Scripts",
      [
        "scripts:",
        "  - file: claude.sh",
        script("slow.sh"),
        script("args.sh", "\n    args: [{ name: one }, { name: two }, { name: free, required: false }]"),
      ].join("\n"),
    ),
    "s/claude.sh": "echo claude\n",
    "s/slow.sh": "echo partial\necho problem >&2\nsleep 60\n",
    "s/args.sh": "echo args\n",
    "config.yaml": "scripts:\n  timeout_seconds: 1\nassets:\n  max_size_bytes: 1024\n",
  });
  const call = (name: string, args: Readonly<Record<string, unknown>>) => server().call(name, args);
  const run = (file: string, args = {}) => call("run_script", { skill_path: "s", file, args });

  test("Invalid frontmatter: file skipped with warning, other skills unaffected", async () => {
    expect(await call("get_skill", { context: "bad" })).toMatchObject({ no_match: true });
    expect(await call("get_skill", { context: "good" })).toMatchObject({ skill_path: "good" });
    expect(server().log()).toMatch(/skipped: .*\/bad\.md.*description/);
  });
  test("No skills match query: returns no_match response", async () => {
    expect(await call("get_skill", { context: "nothing" })).toMatchObject({ no_match: true });
  });
  test("Asset declared but file missing: error at read time, skill still functional", async () => {
    const { message } = await call("get_asset", { skill_path: "good", file: "gone.txt" });
    expect(message).toMatch(/"gone\.txt".*is declared.*does not exist/);
    const { assets } = (await call("get_skill", { context: "good" })) as { assets?: object[] };
    expect(assets).toMatchObject([{ file: "gone.txt" }, { file: "big.txt" }]);
  });
  test("Asset exceeds size limit: error response with size details", async () => {
    const { message } = await call("get_asset", { skill_path: "good", file: "big.txt" });
    expect(message).toContain("has 2048 bytes, over the limit of 1024 bytes");
  });
  test('Script execution: "claude" via run_script: error with guidance to use get_asset', async () => {
    expect((await run("claude.sh")).message).toMatch(/execution "claude".*get_asset/);
  });
  test("Script timeout: process killed, partial output returned", async () => {
    expect(await run("slow.sh")).toMatchObject({
      success: false,
      exit_code: 137,
      stdout: "partial\n",
      stderr: expect.stringContaining("problem\n"),
    });
  });
  test("Script missing required args: error listing all missing arguments", async () => {
    expect((await run("args.sh")).message).toBe("Missing required arguments: one, two.");
    expect((await run("args.sh", { one: "" })).message).toBe("Missing required arguments: two.");
    expect(await run("args.sh", { one: "", two: "2" })).toMatchObject({ success: true });
  });
  test("Path traversal attempt: rejected immediately with error", async () => {
    expect((await run("../s.md")).message).toMatch(/^Path traversal is not allowed/);
  });
  test("Scripts globally disabled: error response", async () => {
    const { call: other } = await serveLibrary(createSandbox(DISK_FOLDER), {
      "config.yaml": "scripts:\n  enabled: false\n",
    });
    expect(await other("run_script", { skill_path: "s", file: "x.sh", args: {} })).toMatchObject({
      error: true,
      message: expect.stringContaining("disabled globally"),
    });
  });
  test("Empty skills directory: server starts, all queries return no_match", async () => {
    const { call: other } = await serveLibrary(createSandbox(DISK_FOLDER), {});
    expect(await other("get_skill", { context: "anything" })).toMatchObject({ no_match: true });
    expect(await other("list_skills")).toEqual({
      tree: {
        name: "root",
        path: "_root",
        description: "",
        keywords: [],
        assetCount: 0,
        scriptCount: 0,
        children: [],
      },
    });
    expect(await other("refresh_skills")).toMatchObject({ success: true, skills_reindexed: 0 });
  });
});
