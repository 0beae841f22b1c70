import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { GitServerMode } from "../support/git-server.ts";
import { createSandbox, type Sandbox } from "../support/sandbox.ts";
import {
  ask,
  connectInProcessTo,
  connectTo,
  createLocalTeam,
  createServedLocalTeam,
  createServedTeam,
  createTeam,
  refreshed,
  runBeside,
  textFor,
  topic,
} from "../support/team-library.ts";
import { waitUntil } from "../support/wait-until.ts";

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** Text that does not compress, so that a pack is long enough to be cut. */
const noise = Array.from({ length: 30_000 }, (_, at) => ((at * 2_654_435_761) >>> 7).toString(36)).join("");

/** The cache of the only repository. */
function cacheIn({ home }: Sandbox): string {
  const content = path.join(home, ".skills-mcp", "content");
  const [only] = readdirSync(content);
  return path.join(content, only ?? "none");
}

/** What of `doctor --json` is looked at. */
interface Doctor {
  readonly git: readonly unknown[];
}

describe("a remote that fails", () => {
  const FAILURES: readonly (readonly [string, GitServerMode, RegExp])[] = [
    ["401", { kind: "status", status: 401 }, /requires a login; set GITHUB_TOKEN/],
    ["404", { kind: "status", status: 404 }, /was not found; check the address/],
    ["500", { kind: "status", status: 500 }, /failed \(500\)/],
    ["a reset", { kind: "reset" }, /'git ls-remote' failed/],
    ["a cut in mid-pack", { kind: "cut", bytes: 20_000 }, /'git fetch' failed/],
  ];

  test(`with ${FAILURES.map(([what]) => what).join(", ")} costs nothing that is there, is told, and heals`, async () => {
    const { sandbox, origin, server, url } = await createTeam();
    let commit = origin.commit({ "login.md": topic("login", "Good.") });
    let text = "Good.";
    const connection = await connectInProcessTo(sandbox, url);
    expect(await textFor(connection, "login")).toBe(text);
    let { last_sync } = await ask(connection, "refresh_skills");
    for (const [what, mode, words] of FAILURES) {
      const nextText = `After ${what}.`;
      const files = {
        "login.md": topic("login", nextText),
        ...(mode.kind === "cut" ? { "noise.bin": noise } : {}),
      };
      const next = origin.commit(files);
      server.mode = mode;
      expect(await ask(connection, "refresh_skills"), what).toEqual({
        success: false,
        commit_hash: commit,
        skills_reindexed: 1,
        last_sync,
        failing_since: ISO,
        message: expect.stringMatching(words),
      });
      expect(await textFor(connection, "login"), what).toBe(text);

      server.mode = { kind: "ok" };
      const healed = await ask(connection, "refresh_skills");
      expect(healed, what).toEqual({
        success: true,
        commit_hash: next,
        files_changed: Object.keys(files).length,
        skills_reindexed: 1,
        last_sync: ISO,
      });
      expect(await textFor(connection, "login"), what).toBe(nextText);
      ({ last_sync } = healed);
      [commit, text] = [next, nextText];
    }
    const recoveries = connection.log().match(/git team-skills: recovered; it had failed since \d{4}-/g);
    expect(recoveries).toHaveLength(FAILURES.length);
  });

  test("is named by doctor, with what is served meanwhile, until it is well", async () => {
    const { sandbox, origin, server, url } = await createTeam();
    const commit = origin.commit({ "login.md": topic("login", "Good.") });
    const env = { SKILLS_REPO: url };
    const well = await runBeside(sandbox, ["doctor"], env);
    expect(well.stdout).toContain("0 skills, 1 library skill\n");
    expect(well.stdout).toContain(
      `ok  team-skills (${url}, main): commit ${commit.slice(0, 12)}, in sync at`,
    );
    expect(well.code).toBe(0);
    server.mode = { kind: "status", status: 404 };
    const sick = await runBeside(sandbox, ["doctor"], env);
    expect(sick.stdout).toContain("0 skills, 1 library skill\n");
    expect(sick.stdout).toContain(
      `failing  team-skills (${url}, main): commit ${commit.slice(0, 12)}, in sync at`,
    );
    expect(sick.stdout).toMatch(/^ {4}failing since \d{4}-\S+Z: .* was not found; .* is still served\.$/m);
    expect(sick.code).toBe(1);
  });

  test("fails since it first did, also for those who are started later, until it heals", async () => {
    const { sandbox, origin, server, url } = await createServedTeam({ "a.md": topic("login", "Good.") });
    const env = { SKILLS_REPO: url };
    const first = await connectTo(sandbox, url);
    expect(await refreshed(first)).toMatchObject({ success: true });
    server.mode = { kind: "status", status: 500 };
    const { failing_since: since } = await ask(first, "refresh_skills");
    expect(since).toEqual(ISO);
    server.mode = { kind: "status", status: 404 };
    expect(await ask(first, "refresh_skills")).toMatchObject({ success: false, failing_since: since });
    process.kill(first.pid, "SIGKILL");

    const second = await connectInProcessTo(sandbox, url);
    expect(await refreshed(second)).toMatchObject({ success: false, failing_since: since });
    const doctor = await runBeside(sandbox, ["doctor"], env);
    expect(doctor.stdout).toContain(`\n    failing since ${String(since)}: ${url} was not found; `);
    const { git } = JSON.parse((await runBeside(sandbox, ["doctor", "--json"], env)).stdout) as Doctor;
    expect(git).toMatchObject([{ failure: { since } }]);

    server.mode = { kind: "ok" };
    const next = origin.commit({ "a.md": topic("login", "New.") });
    const healed = await ask(second, "refresh_skills");
    expect(healed).toMatchObject({ success: true, commit_hash: next });
    expect(Object.keys(healed)).not.toContain("failing_since");
    expect(second.log()).toContain(`git team-skills: recovered; it had failed since ${String(since)}\n`);
    expect((await runBeside(sandbox, ["doctor"], env)).stdout).not.toContain("failing");
    server.mode = { kind: "status", status: 500 };
    const again = await ask(second, "refresh_skills");
    expect(String(again["failing_since"]) > String(healed["last_sync"])).toBe(true);
  });
});

describe("this machine", () => {
  test("without a network says so of each repository", async () => {
    const sandbox = createSandbox();
    const connection = await connectInProcessTo(
      sandbox,
      "https://no-such-host.invalid/team/rules.git,http://127.0.0.1:1/tools.git",
    );
    expect(await ask(connection, "list_skills")).toMatchObject({ error: true });
    expect(await ask(connection, "refresh_skills")).toEqual({
      success: false,
      files_changed: 0,
      skills_reindexed: 0,
      repositories: [
        {
          repository: "rules",
          success: false,
          failing_since: ISO,
          message: expect.stringMatching(/^The host of .* was not found/),
        },
        {
          repository: "tools",
          success: false,
          failing_since: ISO,
          message: expect.stringMatching(/ is unreachable: /),
        },
      ],
      message: "Not up to date: rules, tools.",
    });
  });

  const isRoot = process.platform === "linux" && process.getuid?.() === 0;
  // A file system of its own is needed, which only root can mount.
  test.skipIf(!isRoot)("with a full disk serves what it has, and heals when there is room", async () => {
    const { sandbox, origin, url } = createLocalTeam();
    const content = path.join(sandbox.home, ".skills-mcp", "content");
    mkdirSync(content, { recursive: true });
    execFileSync("/bin/mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", content]);
    onTestFinished(() => void execFileSync("/bin/umount", ["-l", content]));
    origin.commit({ "login.md": topic("login", "Good.") });
    const connection = await connectInProcessTo(sandbox, url);
    expect(await textFor(connection, "login")).toBe("Good.");
    const { bavail, bsize } = statfsSync(content);
    const filler = path.join(content, "filler");
    writeFileSync(filler, Buffer.alloc(bavail * bsize - 60_000));
    const next = origin.commit({ "login.md": topic("login", "New."), "noise.bin": noise });
    expect(await ask(connection, "refresh_skills")).toMatchObject({
      success: false,
      message: expect.stringMatching(/disk.* is full.* is still served\.$/),
    });
    expect(await textFor(connection, "login")).toBe("Good.");
    rmSync(filler);
    expect(await ask(connection, "refresh_skills")).toMatchObject({ success: true, commit_hash: next });
    expect(await textFor(connection, "login")).toBe("New.");
    // Its readers' notes lie on the disk that goes away.
    await connection.close();
  });

  test("on which a server was killed in mid-fetch lets the next one fetch", async () => {
    const { sandbox, origin, server, url } = await createServedTeam({ "a.md": topic("login", "One.") });
    const next = origin.commit({ "a.md": topic("login", "Two."), "noise.bin": noise });
    server.mode = { kind: "stall", bytes: 20_000 };
    const asked = server.requests.length;
    const killed = await connectTo(sandbox, url);
    await waitUntil("git receives a pack", () =>
      server.requests.slice(asked).some(({ method }) => method === "POST"),
    );
    process.kill(killed.pid, "SIGKILL");
    await killed.close();
    server.mode = { kind: "ok" };
    const connection = await connectInProcessTo(sandbox, url);
    expect(await textFor(connection, "login")).toMatch(/^(?:One|Two)\.$/);
    expect(await refreshed(connection)).toMatchObject({ success: true, commit_hash: next });
    expect(await textFor(connection, "login")).toBe("Two.");
  });
});

describe("a branch", () => {
  test("that was force-pushed is followed", async () => {
    const { sandbox, origin, url } = await createServedLocalTeam({ "a.md": topic("login", "One.") });
    origin.commit({ "b.md": topic("cart", "Two.") }, { orphan: true });
    const connection = await connectInProcessTo(sandbox, url);
    expect(await refreshed(connection)).toMatchObject({ success: true, skills_reindexed: 1 });
    expect(await textFor(connection, "cart")).toBe("Two.");
    expect(await textFor(connection, "login")).toBe("No skill matches the given context.");
  });

  test("that was deleted leaves its last content and is told; it heals when it is there again", async () => {
    const { sandbox, origin, url } = await createServedLocalTeam({ "a.md": topic("login", "One.") });
    origin.commit({ "a.md": topic("login", "Trunk.") }, { branch: "trunk" });
    origin.git("symbolic-ref", "HEAD", "refs/heads/trunk");
    origin.git("update-ref", "-d", "refs/heads/main");
    const connection = await connectInProcessTo(sandbox, url);
    expect(await refreshed(connection)).toMatchObject({
      success: false,
      message: expect.stringContaining("its default branch is 'trunk'; set SKILLS_BRANCH=trunk"),
    });
    expect(await textFor(connection, "login")).toBe("One.");
    const next = origin.commit({ "a.md": topic("login", "Again.") }, { orphan: true });
    expect(await refreshed(connection)).toMatchObject({ success: true, commit_hash: next });
    expect(await textFor(connection, "login")).toBe("Again.");
  });
});

describe("a cache", () => {
  test.each<[string, (cache: string) => void]>([
    ["locks of a git that was killed", plantLocks],
    ["packs that are damaged", damagePacks],
  ])("with %s is repaired by the next refresh", async (_, harm) => {
    const { sandbox, origin, url } = await createServedLocalTeam({ "a.md": topic("login", "One.") });
    harm(cacheIn(sandbox));
    const next = origin.commit({ "a.md": topic("login", "Two."), "b.md": topic("cart", "Cart.") });
    const connection = await connectInProcessTo(sandbox, url);
    expect(await refreshed(connection)).toMatchObject({ success: true, commit_hash: next });
    expect(await textFor(connection, "login")).toBe("Two.");
    expect(await textFor(connection, "cart")).toBe("Cart.");
  });
});

function plantLocks(cache: string): void {
  for (const lock of ["index.lock", "shallow.lock", "HEAD.lock", "config.lock"]) {
    writeFileSync(path.join(cache, "mirror.git", lock), "");
  }
}

function damagePacks(cache: string): void {
  const packs = path.join(cache, "mirror.git", "objects", "pack");
  const files = readdirSync(packs);
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) writeFileSync(path.join(packs, file), "damaged");
}
