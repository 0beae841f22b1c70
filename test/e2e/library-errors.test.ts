import { describe, expect, test } from "vitest";
import { createOrigin } from "../sources/origin.ts";
import { connect } from "../support/client.ts";
import { startGitServer } from "../support/git-server.ts";
import { callLibrary, page, serveLibrary, shareLibrary } from "../support/library.ts";
import { createSandbox } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

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
    const { call: other } = await serveLibrary(createSandbox(), {
      "config.yaml": "scripts:\n  enabled: false\n",
    });
    expect(await other("run_script", { skill_path: "s", file: "x.sh", args: {} })).toMatchObject({
      error: true,
      message: expect.stringContaining("disabled globally"),
    });
  });
  test("Empty skills directory: server starts, all queries return no_match", async () => {
    const { call: other } = await serveLibrary(createSandbox(), {});
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

describe("seed 004 §13, §8.6: a library from git", () => {
  test("Network down at refresh, and at startup: a warning, and the cache is served; then it is followed again", async () => {
    const sandbox = createSandbox();
    const origin = createOrigin(sandbox.path("."), "team.git");
    const first = origin.commit({ "skills/alpha.md": page("alpha", "The first version") });
    const git = await startGitServer(sandbox.path("."));
    const serve = async () => {
      const connection = await connect(sandbox, {
        era: "2025-11-25",
        env: { SKILLS_REPO: git.url("team.git") },
      });
      const call = (name: string, args = {}) => callLibrary(connection.client, name, args);
      return { ...connection, call };
    };
    const server = await serve();
    expect(await server.call("get_skill", { context: "alpha" })).toMatchObject({ skill_path: "alpha" });

    // §8.6: response (git mode).
    const second = origin.commit({
      "skills/alpha.md": page("alpha", "The second version"),
      "skills/beta.md": page("beta", "New"),
    });
    const refreshed = await server.call("refresh_skills");
    expect(Object.keys(refreshed)).toEqual([
      "success",
      "commit_hash",
      "files_changed",
      "skills_reindexed",
      "last_sync",
    ]);
    expect(refreshed).toMatchObject({
      success: true,
      commit_hash: second,
      files_changed: 2,
      skills_reindexed: 2,
      last_sync: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(second).not.toBe(first);

    // Network down at refresh.
    git.mode = { kind: "reset" };
    expect(await server.call("refresh_skills")).toMatchObject({ success: false, skills_reindexed: 2 });
    expect(await server.call("get_skill", { context: "beta" })).toMatchObject({ skill_path: "beta" });
    await waitUntil("a warning", () => /team\.git|127\.0\.0\.1/.test(server.log()));
    await server.close();

    // Network down at startup.
    const again = await serve();
    expect(await again.call("get_skill", { context: "beta" })).toMatchObject({ skill_path: "beta" });
    await waitUntil("a warning", () => /team\.git|127\.0\.0\.1/.test(again.log()));

    git.mode = { kind: "ok" };
    const third = origin.commit({ "skills/gamma.md": page("gamma", "Newest") });
    await waitUntil("it is followed again", async () => {
      const answer = await again.call("refresh_skills");
      return answer["success"] === true && answer["commit_hash"] === third;
    });
    expect(await again.call("get_skill", { context: "gamma" })).toMatchObject({ skill_path: "gamma" });
  });
});
