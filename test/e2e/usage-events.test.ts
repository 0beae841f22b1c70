import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { loadSkill } from "../support/client.ts";
import { createEventSink } from "../support/event-sink.ts";
import { connectInProcess as connect, runCommand } from "../support/in-process.ts";
import { createSandbox, DISK_FOLDER } from "../support/sandbox.ts";
import { ask, connectInProcessTo, createTeam, textFor, topic } from "../support/team-library.ts";

/** What nobody may find in an event: the value of an argument, the content of a file, a token. */
const SECRETS = ["canary-argument", "canary-content", "canary-token"];

const FILES = `assets:
  - {file: form.txt, description: A form, type: template}
scripts:
  - {file: greet.sh, description: Greets, execution: server, args: [{name: who, description: Whom}]}
`;

function busyMachine() {
  const sandbox = createSandbox(DISK_FOLDER);
  sandbox.skill("project/.claude/skills/pdf");
  sandbox.write(
    "library/_root.md",
    topic("everything", "Root.", "assets: [{file: logo.svg, description: Logo}]\n"),
  );
  sandbox.write("library/_root/logo.svg", "<svg/>");
  sandbox.write("library/login.md", topic("login, passkey", "Login.", FILES));
  sandbox.write("library/login/form.txt", "canary-content\n");
  sandbox.write("library/login/greet.sh", 'test "$SKILL_ARG_WHO" = canary-argument\n');
  sandbox.write("library/signup.md", topic("signup, passkey", "Signup."));
  return sandbox;
}

function filesWithSecrets(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => SECRETS.some((secret) => readFileSync(file, "latin1").includes(secret)));
}

describe("usage events", () => {
  test.each([
    [{ USER: "ann", USERNAME: "bob" }, "dev-ann"],
    [{ USER: "", USERNAME: "bob" }, "dev-bob"],
    [{ USER: "", USERNAME: " " }, "dev-unknown"],
  ])("name the server by the user, whom %j says", async (user, expected) => {
    const sandbox = busyMachine();
    const sink = await createEventSink();
    const env = { SKILLS_DIR: sandbox.path("library"), ANALYTICS_ENDPOINT: sink.url, ...user };
    const connection = await connect(sandbox, { era: "2025-11-25", env });
    await ask(connection, "get_skill", { context: "Bake bread" });
    await connection.close();
    expect(sink.taken().map(({ server_id }) => server_id)).toEqual([expected]);
  });

  test("tell of every use, with exactly their fields, and are delivered when the server ends", async () => {
    const sandbox = busyMachine();
    const sink = await createEventSink();
    const env = {
      SKILLS_DIR: sandbox.path("library"),
      ANALYTICS_ENDPOINT: sink.url,
      USER: "ann",
      GITHUB_TOKEN: "canary-token",
    };
    const connection = await connect(sandbox, { era: "2025-11-25", env });
    await ask(connection, "get_skill", { context: "Bake bread" });
    await ask(connection, "get_skill", { context: "A passkey" });
    await ask(connection, "get_skill", { context: "A passkey", skill_path: "signup" });
    await ask(connection, "get_skill", { context: "Login with a passkey" });
    await ask(connection, "get_asset", { skill_path: "login", file: "form.txt" });
    await ask(connection, "get_asset", { skill_path: "login", file: "logo.svg" });
    const run = await ask(connection, "run_script", {
      skill_path: "login",
      file: "greet.sh",
      args: { who: "canary-argument" },
    });
    expect(run).toMatchObject({ success: true });
    await ask(connection, "report_usage", { skill_path: "login", useful: true, comment: "Thanks." });
    await ask(connection, "report_usage", { skill_path: "pdf", useful: false });
    await ask(connection, "refresh_skills");
    await ask(connection, "list_skills");
    await loadSkill(connection, "pdf");
    await loadSkill(connection, "no-such-skill");
    // What was not served is no use.
    await ask(connection, "get_asset", { skill_path: "login", file: "none.txt" });
    await connection.close();

    const served = { context: "Login with a passkey", skill_path: "login", via: "get_skill" };
    expect(sink.taken().map(({ type, data }) => [type, data])).toEqual([
      ["no_match", { context: "Bake bread", via: "get_skill" }],
      ["ambiguous", { context: "A passkey", candidates: ["login", "signup"] }],
      [
        "skill_served",
        {
          context: "A passkey",
          skill_path: "signup",
          via: "get_skill",
          score: 0.5,
          matched_keywords: ["passkey"],
          was_ambiguous: true,
        },
      ],
      ["skill_served", { ...served, score: 1, matched_keywords: ["login", "passkey"], was_ambiguous: false }],
      [
        "asset_served",
        {
          skill_path: "login",
          file: "form.txt",
          asset_type: "template",
          is_inherited: false,
          size_bytes: 15,
        },
      ],
      [
        "asset_served",
        { skill_path: "login", file: "logo.svg", asset_type: "other", is_inherited: true, size_bytes: 6 },
      ],
      [
        "script_executed",
        {
          skill_path: "login",
          file: "greet.sh",
          execution_mode: "server",
          success: true,
          exit_code: 0,
          duration_ms: run["duration_ms"],
          args_provided: ["who"],
        },
      ],
      ["skill_feedback", { skill_path: "login", useful: true, comment: "Thanks." }],
      ["skill_feedback", { skill_path: "pdf", useful: false, comment: null }],
      [
        "refresh",
        { mode: "local", success: true, commit_hash: null, files_changed: null, skills_reindexed: 3 },
      ],
      [
        "skill_served",
        {
          context: null,
          skill_path: "pdf",
          via: "skill",
          score: null,
          matched_keywords: [],
          was_ambiguous: null,
        },
      ],
      ["no_match", { context: "no-such-skill", via: "skill" }],
    ]);
    for (const event of sink.taken()) {
      const keys = ["client", "data", "event_id", "server_id", "timestamp", "type"];
      expect(Object.keys(event).sort()).toEqual(keys);
      expect(event).toMatchObject({
        server_id: "dev-ann",
        client: { name: "test", version: "1.0.0" },
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
        event_id: expect.stringMatching(
          /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        ),
      });
    }
    expect(new Set(sink.taken().map(({ event_id }) => event_id)).size).toBe(sink.taken().length);
    for (const { headers, key, body } of sink.requests()) {
      expect(headers["content-type"]).toMatch(/^application\/json\b/);
      expect(key).toMatch(/\S{8}/);
      expect(Object.keys(JSON.parse(body) as object)).toEqual(["events"]);
      expect(SECRETS.filter((secret) => body.includes(secret))).toEqual([]);
    }
    expect(filesWithSecrets(sandbox.home)).toEqual([]);
    expect(SECRETS.filter((secret) => connection.log().includes(secret))).toEqual([]);
  });

  test("go with the operator's headers and name of the server, of which no value is logged or shown", async () => {
    const sandbox = busyMachine();
    const sink = await createEventSink();
    const env = {
      SKILLS_DIR: sandbox.path("library"),
      ANALYTICS_ENDPOINT: sink.url,
      ANALYTICS_HEADERS: "Authorization: Bearer canary-token\nX-Team: shop",
      SKILLS_SERVER_ID: "eu-1",
    };
    const connection = await connect(sandbox, {
      era: "2026-07-28",
      env,
      args: ["mcp", "--log-level", "debug"],
    });
    await ask(connection, "get_skill", { context: "Bake bread" });
    await connection.close();
    expect(sink.taken()).toMatchObject([{ server_id: "eu-1", client: { name: "test", version: "1.0.0" } }]);
    expect(sink.requests().map(({ headers }) => [headers.authorization, headers["x-team"]])).toEqual([
      ["Bearer canary-token", "shop"],
    ]);
    expect(connection.log()).not.toContain("canary-token");
    for (const args of [["config"], ["config", "--json"]]) {
      const { stdout } = await runCommand(sandbox, args, { env });
      expect(stdout).toContain("Authorization: …");
      expect(stdout).not.toContain("canary-token");
    }
    expect(filesWithSecrets(sandbox.home)).toEqual([]);
  });

  test("go without the operator's headers to an endpoint that a library chose", async () => {
    const sandbox = busyMachine();
    const sink = await createEventSink();
    sandbox.write("library/config.yaml", `analytics: {enabled: true, endpoint: "${sink.url}"}\n`);
    const env = {
      SKILLS_DIR: sandbox.path("library"),
      ANALYTICS_HEADERS: "Authorization: Bearer canary-token",
    };
    const connection = await connect(sandbox, { era: "2026-07-28", env });
    await ask(connection, "get_skill", { context: "Bake bread" });
    await connection.close();
    expect(sink.requests().map(({ headers }) => headers.authorization)).toEqual([undefined]);
    expect(connection.log()).toContain(
      "analytics.headers are not sent, because a library chose the endpoint",
    );
  });

  test.each([
    ["the user's own file", "home/.skills-mcp/config.yaml", "Bake bread"],
    ["a library's file", "library/config.yaml", expect.stringMatching(/^sha256:/)],
  ])("without an endpoint are in the local file, enabled in %s", async (_whose, config, context) => {
    const sandbox = busyMachine();
    sandbox.write(config, "analytics:\n  enabled: true\n");
    const connection = await connect(sandbox, {
      era: "2025-11-25",
      env: { SKILLS_DIR: sandbox.path("library") },
    });
    await ask(connection, "get_skill", { context: "Bake bread" });
    await connection.close();
    const file = path.join(sandbox.home, ".skills-mcp/analytics-buffer.jsonl");
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
      { type: "no_match", data: { context, via: "get_skill" } },
    ]);
    const told = connection
      .log()
      .split("\n")
      .filter((line) => line.includes(file));
    expect(told).toEqual([expect.stringMatching(/^\S+ info +usage: events are stored in /)]);
  });

  test("of a library from git tell its commits", async () => {
    const { sandbox, origin, server, url } = await createTeam();
    const sink = await createEventSink();
    const one = origin.commit({ "login.md": topic("login", "One.") });
    const connection = await connectInProcessTo(sandbox, url, { ANALYTICS_ENDPOINT: sink.url });
    await textFor(connection, "login");
    const two = origin.commit({ "login.md": topic("login", "Two."), "cart.md": topic("cart", "Cart.") });
    await ask(connection, "refresh_skills");
    server.mode = { kind: "status", status: 500 };
    await ask(connection, "refresh_skills");
    await connection.close();
    expect(one).not.toBe(two);
    expect(
      sink
        .taken()
        .slice(1)
        .map(({ type, data }) => [type, data]),
    ).toEqual([
      ["refresh", { mode: "git", success: true, commit_hash: two, files_changed: 2, skills_reindexed: 2 }],
      [
        "refresh",
        { mode: "git", success: false, commit_hash: two, files_changed: null, skills_reindexed: 2 },
      ],
    ]);
  });

  test.each([
    ["hash", { context: expect.stringMatching(/^sha256:[0-9a-f]{16}$/), via: "get_skill" }],
    ["off", { context: null, via: "get_skill" }],
  ])("with analytics.context %s do not tell what was asked", async (context, data) => {
    const sandbox = busyMachine();
    const sink = await createEventSink();
    sandbox.write("home/.skills-mcp/config.yaml", `analytics:\n  context: ${context}\n`);
    const env = { SKILLS_DIR: sandbox.path("library"), ANALYTICS_ENDPOINT: sink.url };
    const connection = await connect(sandbox, { era: "2025-11-25", env });
    await ask(connection, "get_skill", { context: "Bake bread" });
    await ask(connection, "get_skill", { context: "Bake bread" });
    await connection.close();
    const [first, second] = sink.taken();
    expect(first?.data).toEqual(data);
    expect(second?.data).toEqual(first?.data);
  });
});
