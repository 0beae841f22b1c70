import { describe, expect, test } from "vitest";
import { createEventSink } from "../support/event-sink.ts";
import { freePort } from "../support/free-port.ts";
import { createOrigin } from "../support/origin.ts";
import { DISK_FOLDER } from "../support/sandbox.ts";
import {
  ask,
  connectInProcessTo,
  createLocalTeam,
  createServedLocalTeam,
  createTeam,
  refreshed,
  runBeside,
  textFor,
  topic,
} from "../support/team-library.ts";
import { waitUntil } from "../support/wait-until.ts";

const SCRIPT = "scripts:\n  - file: hello.sh\n    description: Greets\n    execution: server\n";
const SKILL = {
  "skills/hello.md": topic("hello", "Hello.", SCRIPT),
  "skills/hello/hello.sh": "echo hello from bash\n",
};
const WRONG = "scripts: {enabled: false}\nmatching: {min_score: 7}\n";
const WRONG_LINE = /\S+\/config\.yaml:2: matching\.min_score is 7, but must be a number from 0 to 1\./;
const run = { skill_path: "hello", file: "hello.sh", args: {} };

describe("the config.yaml of a repository", () => {
  test("does not choose runners or endpoints, and one line says so, unless it is trusted", async () => {
    const { sandbox, origin, url } = createLocalTeam(DISK_FOLDER);
    const sink = await createEventSink();
    origin.commit({
      ...SKILL,
      "config.yaml": `scripts:\n  runners: {".sh": "/bin/echo ran by"}\n  timeout_seconds: 7\nanalytics:\n  enabled: true\n  endpoint: ${sink.url}\n`,
    });
    const wary = await connectInProcessTo(sandbox, url);
    expect(await ask(wary, "run_script", run)).toMatchObject({ stdout: "hello from bash\n" });
    await wary.close();
    const lines = wary
      .log()
      .split("\n")
      .filter((line) => line.includes("ignored"));
    expect(lines).toEqual([
      expect.stringMatching(
        /^\S+Z warn {2}\S+\/config\.yaml: scripts\.runners, analytics\.enabled, analytics\.endpoint were ignored, because the library comes from git; set them in \S+\/\.skills-mcp\/config\.yaml, or trust the library with SKILLS_TRUST_CONFIG=1\.$/,
      ),
    ]);
    expect(sink.requests()).toEqual([]);
    expect((await runBeside(sandbox, ["config"], { SKILLS_REPO: url })).stdout).toMatch(
      /^scripts\.timeout_seconds +7 +\S+\/config\.yaml:3$/m,
    );

    const trusting = await connectInProcessTo(sandbox, url, { SKILLS_TRUST_CONFIG: "1" });
    expect(await ask(trusting, "run_script", run)).toMatchObject({
      stdout: expect.stringMatching(/^ran by .*hello\.sh\n$/),
    });
    expect(await textFor(trusting, "hello")).toBe("Hello.");
    expect(trusting.log()).not.toContain("ignored");
    await trusting.close();
    // The operator did not choose where this goes, so it does not tell what was asked.
    expect(sink.taken().map(({ type, data }) => [type, data["context"]])).toEqual([
      ["script_executed", undefined],
      ["skill_served", expect.stringMatching(/^sha256:[0-9a-f]{16}$/)],
    ]);
  });

  test("counts from the first clone on, before the first answer", async () => {
    const { sandbox, origin, server, url } = await createTeam();
    origin.commit({ ...SKILL, "config.yaml": "scripts:\n  enabled: false\n" });
    let go = (): void => {};
    server.hold = new Promise((resolve) => {
      go = resolve;
    });
    const connection = await connectInProcessTo(sandbox, url);
    const first = ask(connection, "run_script", run);
    await waitUntil("git asks", () => server.requests.length > 0);
    go();
    expect(await first).toEqual({ error: true, message: expect.stringContaining("disabled") });
  });

  test("that arrives with a refresh counts for the next call", async () => {
    const { sandbox, origin, url } = await createServedLocalTeam(SKILL, DISK_FOLDER);
    const connection = await connectInProcessTo(sandbox, url);
    expect(await refreshed(connection)).toMatchObject({ success: true });
    for (const enabled of [false, true, false]) {
      origin.commit({ ...SKILL, "config.yaml": `scripts:\n  enabled: ${enabled}\n` });
      expect(await ask(connection, "refresh_skills")).toMatchObject({ success: true });
      expect((await ask(connection, "run_script", run))["error"]).toBe(enabled ? undefined : true);
    }
  });

  test("that is wrong and arrives with a refresh is the answer of every tool, until it is repaired", async () => {
    const { sandbox, origin, url } = await createServedLocalTeam(
      {
        ...SKILL,
        "config.yaml": "scripts:\n  enabled: false\n",
      },
      DISK_FOLDER,
    );
    const connection = await connectInProcessTo(sandbox, url);
    await refreshed(connection);
    origin.commit({
      "skills/hello.md": topic("hello", "New text.", SCRIPT),
      "config.yaml": "scripts:\n  enabled: yes\n",
    });
    const reason = /\S+\/config\.yaml:2: scripts\.enabled is "yes", but must be true or false\./;
    const refused = { error: true, message: expect.stringMatching(reason) as string };
    expect(await ask(connection, "refresh_skills")).toEqual(refused);
    await waitUntil("the tools answer with the reason", async () =>
      reason.test(await textFor(connection, "hello")),
    );
    expect(await ask(connection, "run_script", run)).toEqual(refused);
    const line = new RegExp(`^\\S+Z error ${reason.source}$`, "m");
    await waitUntil("the log names it", () => line.test(connection.log()));
    origin.commit({
      "skills/hello.md": topic("hello", "New text.", SCRIPT),
      "config.yaml": "scripts:\n  enabled: false\n",
    });
    await ask(connection, "refresh_skills");
    await waitUntil(
      "the library is served again",
      async () => (await textFor(connection, "hello")) === "New text.",
    );
    expect(await ask(connection, "run_script", run)).toEqual({
      error: true,
      message: expect.stringContaining("disabled") as string,
    });
  });

  test("that is wrong in the first clone is the answer of every tool, and no script runs", async () => {
    const { sandbox, origin, url } = createLocalTeam();
    origin.commit({ ...SKILL, "skills/config.yaml": WRONG });
    const connection = await connectInProcessTo(sandbox, url);
    expect(await ask(connection, "run_script", run)).toEqual({
      error: true,
      message: expect.stringMatching(WRONG_LINE),
    });
    await waitUntil("the log names it", () =>
      new RegExp(` ${WRONG_LINE.source}$`, "m").test(connection.log()),
    );
    await connection.close();

    const again = await connectInProcessTo(sandbox, url);
    expect(again.client.getInstructions()).toMatch(WRONG_LINE);
    expect(await ask(again, "get_skill", { context: "hello" })).toEqual({
      error: true,
      message: expect.stringMatching(WRONG_LINE),
    });
  });

  test("that is wrong in the first clone ends a server over HTTP with 2", async () => {
    const { sandbox, origin, url } = createLocalTeam();
    origin.commit({ ...SKILL, "skills/config.yaml": WRONG });
    const port = String(await freePort());
    const ended = await runBeside(sandbox, ["mcp", "--transport", "http", "--port", port], {
      SKILLS_REPO: url,
    });
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toMatch(WRONG_LINE);
  });

  test("that is wrong in the first clone of one of several repositories is named as well", async () => {
    const { sandbox, url } = await createServedLocalTeam(SKILL);
    const other = createOrigin(sandbox.path(), "other.git");
    other.commit({
      "config.yaml": WRONG,
      "other.md": topic("other", "Other."),
    });
    const both = `${url},${other.fileUrl}`;
    const connection = await connectInProcessTo(sandbox, both);
    await waitUntil("the log names it", () => WRONG_LINE.test(connection.log()));
  });

  test("that is wrong is reported by doctor, at the first fetch and later", async () => {
    const { sandbox, origin, url } = createLocalTeam();
    origin.commit({ ...SKILL, "skills/config.yaml": WRONG });
    for (let time = 0; time < 2; time++) {
      const checked = await runBeside(sandbox, ["doctor"], { SKILLS_REPO: url });
      expect(checked.code).toBe(1);
      expect(checked.stdout).toMatch(WRONG_LINE);
      expect(checked.stdout).toContain("There are problems");
    }
    const { code, stdout } = await runBeside(sandbox, ["doctor", "--json"], { SKILLS_REPO: url });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      wrongSettings: [{ place: expect.stringMatching(/skills\/config\.yaml:2$/) as unknown }],
    });
  });

  test("that is wrong in the cache refuses to start over HTTP, until the repository has a right one", async () => {
    const { sandbox, origin, url } = await createServedLocalTeam({
      ...SKILL,
      "config.yaml": "scripts:\n  enabled: yes\n",
    });
    const bad = await runBeside(sandbox, ["mcp", "--transport", "http"], { SKILLS_REPO: url });
    expect(bad).toMatchObject({ code: 2, stdout: "" });
    expect(bad.stderr).toMatch(/^skills-mcp: \S+\/config\.yaml:2: scripts\.enabled is "yes", .*\n$/);
    origin.commit({ ...SKILL, "config.yaml": "scripts:\n  enabled: true\n" });
    const connection = await connectInProcessTo(sandbox, url);
    await waitUntil(
      "the repaired settings count",
      async () => (await textFor(connection, "hello")) === "Hello.",
    );
  });
});
