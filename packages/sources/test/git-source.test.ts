import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createOrigin } from "../../../test/support/origin.ts";
import { createSandbox } from "../../../test/support/sandbox.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { parseRepoLists, splitRepoList } from "../src/address/repo-list.ts";
import { cacheOf, contentOf, openSource } from "./open-source.ts";

const versionsIn = (cache: string) =>
  readdirSync(path.join(cache, "v")).filter((name) => /^[0-9a-f.]+$/.test(name));

describe("a git source", () => {
  test("clones, follows commits and force-pushes, and counts the files that changed", async () => {
    const sandbox = createSandbox();
    const origin = createOrigin(sandbox.path());
    const first = origin.commit({ "a/SKILL.md": "one", "b.md": "one" });
    const source = openSource(sandbox, origin.fileUrl);
    expect(source.name).toBe("team-skills");
    expect(await source.current()).toBeUndefined();
    expect(await source.refresh()).toMatchObject({
      success: true,
      commitHash: first,
      filesChanged: 2,
      changed: true,
    });
    expect(await contentOf(source)).toEqual({ "a/SKILL.md": "one", "b.md": "one" });

    const second = origin.commit({ "a/SKILL.md": "two", "b.md": "one", "c.md": "new" });
    expect(await source.refresh()).toMatchObject({ commitHash: second, filesChanged: 2, changed: true });
    expect(await source.refresh()).toMatchObject({ commitHash: second, filesChanged: 0, changed: false });

    const third = origin.commit({ "z.md": "other history" }, { orphan: true });
    expect(await source.refresh()).toMatchObject({ success: true, commitHash: third, filesChanged: 4 });
    expect(await contentOf(source)).toEqual({ "z.md": "other history" });
    expect(source.state()).toMatchObject({ commit: third, failure: undefined, syncing: false });
    expect(readdirSync(cacheOf(source)).filter((name) => name.endsWith(".tmp") || name === "lock")).toEqual(
      [],
    );
  });

  test("goes back to a commit that it still has without writing it again", async () => {
    const sandbox = createSandbox();
    const origin = createOrigin(sandbox.path());
    const first = origin.commit({ "a.md": "one" });
    const source = openSource(sandbox, origin.fileUrl);
    await source.refresh();
    const folder = await source.current();
    origin.commit({ "a.md": "two" });
    await source.refresh();
    origin.git("update-ref", "refs/heads/main", first);
    expect(await source.refresh()).toMatchObject({ commitHash: first, filesChanged: 1, changed: true });
    expect(await source.current()).toBe(folder);
  });

  test("answers a second refresh at once that it did not happen", async () => {
    const sandbox = createSandbox();
    const origin = createOrigin(sandbox.path());
    origin.commit({ "a.md": "one" });
    const source = openSource(sandbox, origin.fileUrl);
    const running = source.refresh();
    expect(source.state().syncing).toBe(true);
    expect(await source.refresh()).toMatchObject({ success: false, changed: false });
    expect(await running).toMatchObject({ success: true });
  });

  test("serves the cache at once after a restart, with the time of the last sync", async () => {
    const sandbox = createSandbox();
    const origin = createOrigin(sandbox.path());
    const commit = origin.commit({ "a.md": "one" });
    const before = openSource(sandbox, origin.fileUrl);
    await before.refresh();
    const { lastSync } = before.state();
    await before.close();
    rmSync(origin.folder, { recursive: true });

    const after = openSource(sandbox, origin.fileUrl);
    expect(await contentOf(after)).toEqual({ "a.md": "one" });
    expect(after.state()).toMatchObject({ commit, lastSync, failure: undefined });
    expect(await after.refresh()).toMatchObject({ success: false, commitHash: commit, lastSync });
    expect(await contentOf(after)).toEqual({ "a.md": "one" });
    expect(after.state().failure).toMatchObject({ code: "not-found" });
  });

  test("clones in the background, says so, and tells listeners once per new version", async () => {
    const sandbox = createSandbox();
    const origin = createOrigin(sandbox.path());
    origin.commit({ "a.md": "one" });
    const source = openSource(sandbox, origin.fileUrl);
    let updates = 0;
    const stop = source.onUpdate(() => updates++);
    void source.refresh();
    expect(source.state().syncing).toBe(true);
    await waitUntil("the clone", () => updates === 1);
    expect(source.logged[0]).toBe(`git team-skills: cloning ${origin.fileUrl} (branch main) …`);
    expect(source.logged[1]).toMatch(
      /^git team-skills: at commit [0-9a-f]{12}, 1 file changed, in [\d.]+ s$/,
    );
    await source.refresh();
    expect(updates).toBe(1);
    stop();
    origin.commit({ "a.md": "two" });
    await source.refresh();
    expect(updates).toBe(1);
  });

  test("says how far a slow clone is", async () => {
    const sandbox = createSandbox();
    const origin = createOrigin(sandbox.path());
    origin.commit({ "a.md": "one" });
    let clock = Date.now();
    const source = openSource(sandbox, origin.fileUrl, { now: () => (clock += 10_000) });
    await source.refresh();
    expect(source.logged[1]).toMatch(/^git team-skills: receiving objects: \d+ %$/);
  });

  test("takes a commit without a single file", async () => {
    const sandbox = createSandbox();
    const origin = createOrigin(sandbox.path());
    const commit = origin.commit({});
    const source = openSource(sandbox, origin.fileUrl);
    expect(await source.refresh()).toMatchObject({
      success: true,
      commitHash: commit,
      filesChanged: 0,
      changed: true,
    });
    expect(await contentOf(source)).toEqual({});
    expect(await source.refresh()).toMatchObject({ success: true, changed: false });
  });

  test("fetches by itself at its interval", async () => {
    const sandbox = createSandbox();
    const origin = createOrigin(sandbox.path());
    origin.commit({ "a.md": "one" });
    const source = openSource(sandbox, origin.fileUrl);
    await source.refresh();
    source.startPeriodic(50);
    const next = origin.commit({ "a.md": "two" });
    await waitUntil("the periodic refresh", () => source.state().commit === next);
    await source.close();
    origin.commit({ "a.md": "three" });
    expect(await source.refresh()).toMatchObject({ success: false });
    expect(source.state().commit).toBe(next);
  });

  test("keeps three versions, and those that are young or that a living process reads", async () => {
    const sandbox = createSandbox();
    const origin = createOrigin(sandbox.path());
    let ahead = 0;
    const now = () => Date.now() + ahead;
    const source = openSource(sandbox, origin.fileUrl, { now });
    const other = openSource(sandbox, origin.fileUrl, { now });
    origin.commit({ "a.md": "0" });
    await source.refresh();
    const read = await other.current();
    for (let at = 1; at <= 5; at++) {
      origin.commit({ "a.md": String(at) });
      await source.refresh();
    }
    expect(versionsIn(cacheOf(source))).toHaveLength(6);
    ahead = 3_600_000;
    origin.commit({ "a.md": "6" });
    await source.refresh();
    expect(versionsIn(cacheOf(source))).toHaveLength(4);
    expect(readFileSync(path.join(read ?? "", "a.md"), "utf8")).toBe("0");
    await other.close();
    origin.commit({ "a.md": "7" });
    await source.refresh();
    expect(versionsIn(cacheOf(source))).toHaveLength(3);
    expect(existsSync(read ?? "")).toBe(false);
    expect(readdirSync(path.join(cacheOf(source), "v"))).toHaveLength(6);
  });

  test("makes one pack of many", async () => {
    const sandbox = createSandbox();
    const origin = createOrigin(sandbox.path());
    const source = openSource(sandbox, origin.fileUrl, { limits: { packs: 3 } });
    const packs = () =>
      readdirSync(path.join(cacheOf(source), "mirror.git/objects/pack")).filter((name) =>
        name.endsWith(".pack"),
      );
    const counts: number[] = [];
    for (let at = 0; at < 5; at++) {
      origin.commit({ "a.md": `${at}` });
      expect(await source.refresh()).toMatchObject({ success: true, filesChanged: 1 });
      counts.push(packs().length);
    }
    expect(counts).toEqual([1, 2, 1, 2, 1]);
    expect(await contentOf(source)).toEqual({ "a.md": "4" });
  });

  test("writes files byte for byte, whatever the repository's attributes ask for", async () => {
    const sandbox = createSandbox();
    const origin = createOrigin(sandbox.path());
    const files = {
      ".gitattributes": "* text eol=crlf ident filter=shout\n*.u16 working-tree-encoding=UTF-16\n",
      "a.md": "$Id$\nline\n",
      "b.u16": "text\n",
    };
    origin.commit(files);
    sandbox.write("home/.gitconfig", '[filter "shout"]\n\tsmudge = tr a-z A-Z\n\trequired = true\n');
    const source = openSource(sandbox, origin.fileUrl);
    expect(await source.refresh()).toMatchObject({ success: true });
    expect(await contentOf(source)).toEqual(files);
  });

  test("leaves out links that lead away, submodules and git's own names, and says so", async () => {
    const sandbox = createSandbox();
    const origin = createOrigin(sandbox.path());
    origin.commit({
      "a/SKILL.md": "fine",
      "a/near": { link: "SKILL.md" },
      "a/away": { link: "../../../../etc/passwd" },
      "a/absolute": { link: "/etc/passwd" },
      ".git/config": "[core]\n\tfsmonitor = touch /tmp/never\n",
      "b/GIT~1/hooks/post-checkout": "#!/bin/sh\n",
      vendor: { submodule: "1234567890123456789012345678901234567890" },
    });
    const source = openSource(sandbox, origin.fileUrl);
    expect(await source.refresh()).toMatchObject({ success: true, filesChanged: 7 });
    expect(await contentOf(source)).toEqual({ "a/SKILL.md": "fine", "a/near": "(link)" });
    const found = Object.fromEntries(source.state().findings.map(({ path, code }) => [path, code]));
    expect(found).toEqual({
      "a/away": "link-leaves",
      "a/absolute": "link-leaves",
      ".git/config": "reserved-name",
      "b/GIT~1/hooks/post-checkout": "reserved-name",
      vendor: "submodule",
    });
    expect(source.logged.filter((line) => line.includes("skipped"))).toHaveLength(5);
    expect(await source.refresh()).toMatchObject({ success: true, changed: false });
  });

  test("is not led astray by a repository around it or by git variables of its environment", async () => {
    const sandbox = createSandbox();
    const origin = createOrigin(sandbox.path());
    origin.commit({ "a.md": "one" });
    const trap = createOrigin(sandbox.home, ".git");
    trap.git("config", "core.fsmonitor", `touch ${sandbox.path("ran")}`);
    trap.git("config", "core.bare", "false");
    const source = openSource(sandbox, origin.fileUrl, {
      environment: {
        PATH: process.env["PATH"],
        HOME: sandbox.home,
        GIT_DIR: "/shop/none",
        GIT_INDEX_FILE: "/shop/none",
        GIT_TRACE: sandbox.path("trace"),
        GIT_TRACE2: sandbox.path("trace"),
      },
    });
    expect(await source.refresh()).toMatchObject({ success: true });
    expect(existsSync(sandbox.path("trace"))).toBe(false);
    expect(existsSync(sandbox.path("ran"))).toBe(false);
  });

  test("keeps its folder when another repository of the same name is served as well", () => {
    const sandbox = createSandbox();
    const alone = openSource(sandbox, "https://example.com/a/skills.git");
    const list = "https://example.com/a/skills.git,https://example.com/b/skills.git";
    const [both] = parseRepoLists([{ use: "SKILLS_REPO", addresses: splitRepoList(list) }]);
    const beside = openSource(sandbox, alone.url, both === undefined ? {} : { repo: both.repo });
    expect(beside.name).toBe("a-skills");
    expect(beside.pointer).toBe(alone.pointer);
  });

  test("keeps every repository and branch in a folder of its own", async () => {
    const sandbox = createSandbox();
    const a = createOrigin(sandbox.path("a"), "skills.git");
    const b = createOrigin(sandbox.path("b"), "skills.git");
    a.commit({ "a.md": "a" });
    a.commit({ "dev.md": "dev" }, { branch: "feature/dev" });
    b.commit({ "b.md": "b" });
    const sources = [
      openSource(sandbox, a.fileUrl),
      openSource(sandbox, b.fileUrl),
      openSource(sandbox, a.fileUrl, { branch: "feature/dev" }),
    ];
    for (const source of sources) expect(await source.refresh()).toMatchObject({ success: true });
    expect(await Promise.all(sources.map(contentOf))).toEqual([
      { "a.md": "a" },
      { "b.md": "b" },
      { "dev.md": "dev" },
    ]);
  });

  test.skipIf(process.platform === "win32")(
    "switches by a link, so that a path through it is always whole",
    async () => {
      const sandbox = createSandbox();
      const origin = createOrigin(sandbox.path());
      const commit = origin.commit({ "a.md": "one" });
      const source = openSource(sandbox, origin.fileUrl);
      await source.refresh();
      expect(lstatSync(source.pointer).isSymbolicLink()).toBe(true);
      expect(readFileSync(path.join(source.pointer, "a.md"), "utf8")).toBe("one");
      expect(path.basename((await source.current()) ?? "")).toBe(commit);
      writeFileSync(path.join(cacheOf(source), "last-sync"), "no date");
      expect(openSource(sandbox, origin.fileUrl).state().lastSync).toBeUndefined();
    },
  );
});
