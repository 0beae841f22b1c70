import { describe, expect, test } from "vitest";
import { startGitServer } from "../support/git-server.ts";
import { connectInProcess as connect } from "../support/in-process.ts";
import { callLibrary, page } from "../support/library.ts";
import { createOrigin } from "../support/origin.ts";
import { createSandbox, DISK_FOLDER } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

/** A repository on a real git server, and how to serve it. */
async function openRepository() {
  const sandbox = createSandbox(DISK_FOLDER);
  const origin = createOrigin(sandbox.path("."), "team.git");
  const git = await startGitServer(sandbox.path("."));
  const serve = async (env: Readonly<Record<string, string>> = {}) => {
    const connection = await connect(sandbox, {
      era: "2025-11-25",
      env: { SKILLS_REPO: git.url("team.git"), ...env },
    });
    const call = (name: string, args = {}) => callLibrary(connection.client, name, args);
    return { ...connection, call };
  };
  origin.commit({ "skills/alpha.md": page("alpha", "The first version") });
  return { origin, git, serve };
}

describe("seed 004 §13, §8.6: a library from git", () => {
  test("§8.6: response (git mode); Network down at refresh: logs warning, and the next one is followed again", async () => {
    const { origin, git, serve } = await openRepository();
    const { call, log } = await serve();
    expect(await call("get_skill", { context: "alpha" })).toMatchObject({ skill_path: "alpha" });
    const second = origin.commit({
      "skills/alpha.md": page("alpha", "The second version"),
      "skills/beta.md": page("beta", "New"),
    });
    const refreshed = await call("refresh_skills");
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

    git.mode = { kind: "reset" };
    const before = log().length;
    expect(await call("refresh_skills")).toMatchObject({ success: false, skills_reindexed: 2 });
    expect(await call("get_skill", { context: "beta" })).toMatchObject({ skill_path: "beta" });
    await waitUntil("a warning", () => log().slice(before).includes("is still served"));

    git.mode = { kind: "ok" };
    const third = origin.commit({ "skills/gamma.md": page("gamma", "Newest") });
    await waitUntil("it is followed again", async () => {
      const answer = await call("refresh_skills");
      return answer["success"] === true && answer["commit_hash"] === third;
    });
    expect(await call("get_skill", { context: "gamma" })).toMatchObject({ skill_path: "gamma" });
  });

  test("Network down at startup: logs warning, uses local cache", async () => {
    const { git, serve } = await openRepository();
    const first = await serve();
    expect(await first.call("get_skill", { context: "alpha" })).toMatchObject({ skill_path: "alpha" });
    await first.close();
    git.mode = { kind: "reset" };
    const { call, log } = await serve();
    expect(await call("get_skill", { context: "alpha" })).toMatchObject({ skill_path: "alpha" });
    await waitUntil("a warning", () => log().includes("is still served"));
  });

  test("Network down at the very first startup: the answer says so instead of no_match", async () => {
    const { git, serve } = await openRepository();
    git.mode = { kind: "reset" };
    const { call } = await serve();
    const { message } = await call("get_skill", { context: "alpha" });
    expect(message).toContain("The library could not be fetched");
  });
});

describe("seed 004 §12.4: trust model, for a library from git", () => {
  test("L14: its config.yaml names no runner and no endpoint unless the operator trusts it; other settings count", async () => {
    const { origin, serve } = await openRepository();
    origin.commit({
      "config.yaml":
        "matching:\n  min_score: 0.05\nscripts:\n  runners:\n    .sh: echo\nanalytics:\n  enabled: true\n  endpoint: http://127.0.0.1:9/\n",
      "skills/s.md": page(
        "alpha, bravo, charlie, delta, echo, foxtrot, golf, hotel, india, juliett",
        "Runs",
        "scripts:\n  - file: a.sh\n    execution: server",
      ),
      "skills/s/a.sh": "echo by bash\n",
    });
    const run = { skill_path: "s", file: "a.sh", args: {} };
    const careful = await serve();
    // The very first answers, before which there was neither content nor its settings.
    const [ran, got] = await Promise.all([
      careful.call("run_script", run),
      careful.call("get_skill", { context: "golf" }),
    ]);
    expect(ran).toMatchObject({ stdout: "by bash\n" });
    expect(got).toMatchObject({ score: 0.1 });
    await expect.poll(careful.log).toContain("scripts.runners");
    const ignored = careful.log().match(/^.*scripts\.runners.*$/gm);
    expect(ignored).toHaveLength(1);
    expect(ignored?.[0]).toMatch(/analytics.*SKILLS_TRUST_CONFIG=1|SKILLS_TRUST_CONFIG=1.*analytics/);

    const trusting = await serve({ SKILLS_TRUST_CONFIG: "1" });
    expect((await trusting.call("run_script", run))["stdout"]).toMatch(/\/s\/a\.sh\n$/);
    expect(trusting.log()).not.toContain("SKILLS_TRUST_CONFIG");
  });

  test("scripts.enabled: false in the repository holds from the first call on", async () => {
    const { origin, serve } = await openRepository();
    origin.commit({
      "config.yaml": "scripts:\n  enabled: false\n",
      "skills/s.md": page("alpha", "Runs", "scripts:\n  - file: a.sh\n    execution: server"),
      "skills/s/a.sh": "echo ran\n",
    });
    const { call } = await serve();
    const { message } = await call("run_script", { skill_path: "s", file: "a.sh", args: {} });
    expect(message).toContain("disabled globally");
  });
});
