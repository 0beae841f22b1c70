import { renameSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Connection, describedSkills, ERAS, loadSkill, namesIn } from "../support/client.ts";
import { connectInProcess as connect } from "../support/in-process.ts";
import { createSandbox, DISK_FOLDER, skillText } from "../support/sandbox.ts";
import { waitUntil } from "../support/wait-until.ts";

const listed = async (connection: Connection): Promise<readonly string[]> =>
  namesIn(await describedSkills(connection));

const BY_INTERVAL = ["mcp", "--refresh-interval", "200", "--no-watch"];
const BY_WATCHER = ["mcp", "--no-refresh"];

describe.each(ERAS)("a server that stays up, protocol %s", (era) => {
  test.each([
    ["the interval", BY_INTERVAL],
    ["the watcher", BY_WATCHER],
  ])("seed 001: detects new, modified and removed skills by %s", async (_by, args) => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("project/.claude/skills/first");
    const connection = await connect(sandbox, { era, args });
    expect(await listed(connection)).toEqual(["first"]);

    sandbox.skill("project/.claude/skills/second", { description: "old words" });
    await waitUntil("the new skill is listed", async () => (await listed(connection)).includes("second"));
    expect((await loadSkill(connection, "second")).isError).toBe(false);

    sandbox.skill("project/.claude/skills/second", { description: "new words", body: "new body" });
    await waitUntil("the new description", async () =>
      (await describedSkills(connection)).includes("new words"),
    );
    expect((await loadSkill(connection, "second")).text).toContain("new body");

    rmSync(sandbox.path("project/.claude/skills/second"), { recursive: true });
    await waitUntil("the skill is gone", async () => !(await listed(connection)).includes("second"));
    const gone = await loadSkill(connection, "second");
    expect(gone.isError).toBe(true);
    expect(gone.text).toContain("not found");
  });

  test("announces a change once it is visible, and nothing when nothing is", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const file = sandbox.skill("project/.claude/skills/first");
    // With the first file of any skill, the tool to read files is listed.
    sandbox.write("project/.claude/skills/first/guide.txt", "a resource");
    const connection = await connect(sandbox, { era, args: BY_WATCHER });
    await listed(connection);
    sandbox.skill("project/.claude/skills/second");
    await waitUntil("one notice", () => connection.announced() === 1);

    // A changed body is no change of the list.
    sandbox.write(
      "project/.claude/skills/first/SKILL.md",
      skillText("first", "Does first things.", "another body"),
    );
    sandbox.write("project/.claude/skills/first/notes.txt", "a resource");
    await waitUntil("the body is served", async () =>
      (await loadSkill(connection, "first")).text.includes("another body"),
    );
    renameSync(file, `${file}.bak`);
    await waitUntil("the second notice", () => connection.announced() === 2);
    expect(await listed(connection)).toEqual(["second"]);
  });

  test("seed 001: requests during refreshes are answered from a whole list", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    for (let index = 0; index < 60; index++) sandbox.skill(`project/.claude/skills/skill-${index}`);
    const connection = await connect(sandbox, { era, args: ["mcp", "--refresh-interval", "10"] });
    for (let round = 0; round < 60; round++) {
      const { isError } = await loadSkill(connection, `skill-${round}`);
      expect(isError).toBe(false);
    }
    expect(await listed(connection)).toHaveLength(60);
  });
});

describe("what a server that stays up notices", () => {
  const era = "2025-11-25";

  test("the last of several quick edits is the one that stays", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("project/.claude/skills/note");
    const connection = await connect(sandbox, { era, args: BY_WATCHER });
    await listed(connection);
    for (let edit = 1; edit <= 8; edit++) {
      const temporary = sandbox.write("project/.claude/skills/note/.tmp", skillText("note", `edit ${edit}`));
      renameSync(temporary, sandbox.path("project/.claude/skills/note/SKILL.md"));
      await describedSkills(connection);
    }
    await waitUntil("the last edit", async () => (await describedSkills(connection)).includes("edit 8"));
  });

  test("a root that does not exist yet is picked up when it appears, also as a link", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("elsewhere/linked");
    const connection = await connect(sandbox, { era, args: BY_WATCHER });
    expect(await listed(connection)).toEqual(["none"]);
    sandbox.skill("project/.agents/skills/late");
    await waitUntil("the new root", async () => (await listed(connection)).includes("late"));
    symlinkSync(sandbox.path("elsewhere"), sandbox.path("project/.codex-link"));
    rmSync(sandbox.path("project/.agents"), { recursive: true });
    await waitUntil("the root is gone", async () => (await listed(connection)).includes("none"));
    sandbox.write("project/.codex/keep", "");
    symlinkSync(sandbox.path("elsewhere"), sandbox.path("project/.codex/skills"));
    await waitUntil("the linked root", async () => (await listed(connection)).includes("linked"));
  });

  test("a plugin that is installed while the server runs is picked up", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("home/.claude/plugins/cache/p/tool");
    const connection = await connect(sandbox, { era, args: BY_WATCHER });
    expect(await listed(connection)).toEqual(["none"]);
    const plugins = { "p@m": { installPath: "cache/p" } };
    sandbox.write("home/.claude/plugins/installed_plugins.json", JSON.stringify({ version: 1, plugins }));
    await waitUntil("the plugin", async () => (await listed(connection)).includes("p:tool"));
  });

  test("filters are applied again at every refresh", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("project/.codex/skills/one");
    const connection = await connect(sandbox, {
      era,
      args: [...BY_INTERVAL, "--include", "codex", "--exclude", "two"],
    });
    sandbox.skill("project/.codex/skills/two");
    sandbox.skill("project/.claude/skills/three");
    sandbox.skill("project/.codex/skills/four");
    await waitUntil("the refresh", async () => (await listed(connection)).includes("four"));
    expect(await listed(connection)).toEqual(["four", "one"]);
  });
});

describe("refresh notices", () => {
  test("seed 003: the interval logs each refresh in one line, whatever the number of skills", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    for (let index = 0; index < 5; index++) sandbox.skill(`project/.claude/skills/skill-${index}`);
    const { log } = await connect(sandbox, { era: "2025-11-25", args: BY_INTERVAL });
    await waitUntil(
      "three notices",
      () => (log().match(/^\S+Z info {2}refreshed: 5 skills, no change$/gm) ?? []).length >= 3,
    );
    expect(log().match(/skill-\d/)).toBeNull();
  });

  test("with --no-refresh --no-watch nothing changes, and the server does not claim to announce", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("project/.claude/skills/first");
    const connection = await connect(sandbox, {
      era: "2025-11-25",
      args: ["mcp", "--no-refresh", "--no-watch"],
    });
    expect(connection.client.getServerCapabilities()?.tools?.listChanged).toBe(false);
    expect(await listed(connection)).toEqual(["first"]);
    const watching = await connect(sandbox, { era: "2025-11-25", args: BY_WATCHER });
    expect(await listed(watching)).toEqual(["first"]);
    sandbox.skill("project/.claude/skills/second");
    await waitUntil("another server sees it", async () => (await listed(watching)).includes("second"));
    expect(await listed(connection)).toEqual(["first"]);
    expect(connection.log()).not.toContain("refreshed");
  });
});
