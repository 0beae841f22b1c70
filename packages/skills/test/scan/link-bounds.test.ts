import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createDirectDisk, createTimeSlices, POOLED_DISK } from "#util";
import { createSandbox, DISK_FOLDER, MEMORY_FOLDER, type Sandbox } from "../../../../test/support/sandbox.ts";
import { createLinkBounds, isInMadeUp, isMadeUp, leadsThroughMadeUp } from "../../src/scan/links.ts";
import { SKILL_FOLDERS } from "../../src/scan/listing.ts";
import { FOREIGN_LIMITS } from "../../src/scan/scan-state.ts";
import { createTraverse } from "../../src/scan/traverse.ts";

const ROOT = "project/.claude/skills";

/** Scans the project's root of Claude, as a server does. */
async function scan(sandbox: Sandbox, { named = false, disk = POOLED_DISK, foreign = FOREIGN_LIMITS } = {}) {
  const rootDir = sandbox.path(ROOT);
  const bounds = createLinkBounds({ home: sandbox.home, projects: [sandbox.project] });
  const traverse = createTraverse(rootDir, { layout: SKILL_FOLDERS, named, now: Date.now, foreign });
  const { files, folders, diagnostics } = await traverse({ disk, slices: createTimeSlices(), bounds });
  return {
    skills: files.map(({ dir }) => path.relative(rootDir, dir)),
    folders: [...folders],
    problems: diagnostics.map(({ code, file }) => [code, path.relative(rootDir, file)]),
  };
}

function link(sandbox: Sandbox, name: string, target: string): void {
  mkdirSync(sandbox.path(ROOT), { recursive: true });
  symlinkSync(target, sandbox.path(ROOT, name));
}

describe.skipIf(process.platform !== "linux")("S12: no link leads into /proc, /sys or /dev", () => {
  test.each([
    ["/proc"],
    ["/proc/self"],
    ["/proc/self/cwd"],
    ["/proc/self/root/usr"],
    ["/proc/1/cwd"],
    ["/sys"],
    ["/dev"],
    ["/dev/shm"],
    ["/dev/fd"],
  ])("%s", async (target) => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill(`${ROOT}/own`);
    link(sandbox, "out", target);
    const { skills, problems, folders } = await scan(sandbox);
    expect(skills).toEqual(["own"]);
    expect(problems).toEqual([["refused-link", "out"]]);
    expect(folders).toHaveLength(2);
  });

  test("nor through a folder that is one, however many links are on the way", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill(`${ROOT}/own`);
    symlinkSync("/proc/self", sandbox.path("project/process"));
    symlinkSync("process/cwd", sandbox.path("project/indirect"));
    link(sandbox, "a", "../../process/cwd");
    link(sandbox, "b", sandbox.path("project/indirect"));
    link(sandbox, "c", sandbox.path("project/process/cwd/src"));
    const { skills, problems } = await scan(sandbox);
    expect(skills).toEqual(["own"]);
    expect(problems).toEqual(["a", "b", "c"].map((name) => ["refused-link", name]));
  });

  test("nor does a root that is itself a link, whoever named it", async () => {
    for (const named of [false, true]) {
      const sandbox = createSandbox(DISK_FOLDER);
      mkdirSync(sandbox.path("project/.claude"));
      symlinkSync("/proc/self/cwd", sandbox.path(ROOT));
      expect(await scan(sandbox, { named })).toEqual({
        skills: [],
        folders: [],
        problems: [["refused-link", ""]],
      });
    }
  });

  test("but a project that lies in memory has its links", async () => {
    const sandbox = createSandbox(MEMORY_FOLDER);
    sandbox.skill("project/shared/one");
    link(sandbox, "out", sandbox.path("project/shared"));
    expect(await scan(sandbox)).toMatchObject({ skills: ["out/one"], problems: [] });
  });
});

test.each([
  ["/", "proc", true],
  ["/", "sys", true],
  ["/", "dev", true],
  ["/", "home", false],
  ["/home", "dev", false],
])("in %s, %s is not searched: %s", (dir, name, expected) => {
  expect(isMadeUp(dir, name)).toBe(expected);
  expect(isInMadeUp(path.posix.join(dir, name, "x"))).toBe(expected);
});

test("links that lead round in a circle lead nowhere", async () => {
  const sandbox = createSandbox(DISK_FOLDER);
  symlinkSync("b", sandbox.path("a"));
  symlinkSync("a", sandbox.path("b"));
  expect(await leadsThroughMadeUp(sandbox.path("a/x"))).toBe(false);
});

describe("S12: what lies behind a link that leaves project and home is capped", () => {
  /** Skills that a team shares, elsewhere. */
  function team(sandbox: Sandbox, folder: string, count: number): string {
    for (let number = 0; number < count; number++) {
      sandbox.write(`${folder}/skill-${String(number).padStart(4, "0")}/SKILL.md`, "");
    }
    return sandbox.path(folder);
  }

  test("a team's hundreds are served, 1,000 skills in all, the same each time, with one diagnostic", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    link(sandbox, "a", team(sandbox, "opt/a", 600));
    link(sandbox, "b", team(sandbox, "opt/b", 500));
    sandbox.skill(`${ROOT}/own`);
    const first = await scan(sandbox);
    expect(first.skills).toHaveLength(1_001);
    expect(first.skills).toContain("own");
    expect(first.problems).toEqual([["scan-limit", "b"]]);
    expect(await scan(sandbox)).toEqual(first);
    expect(await scan(sandbox, { disk: createDirectDisk(() => 0) })).toEqual(first);
  });

  const FEW = { folders: 40, files: 10 };

  test("the limit of folders is 4,000, so that a link to a whole disk costs neither time nor watches", async () => {
    expect(FOREIGN_LIMITS.folders).toBe(4_000);
    const sandbox = createSandbox(DISK_FOLDER);
    for (let number = 0; number < 50; number++)
      mkdirSync(sandbox.path(`disk/d${number}`), { recursive: true });
    link(sandbox, "disk", sandbox.path("disk"));
    const { folders, problems } = await scan(sandbox, { foreign: FEW });
    expect(folders).toHaveLength(1 + FEW.folders);
    expect(problems).toEqual([["scan-limit", "disk"]]);
  });

  test.each([
    ["into the project", "project/shared", []],
    ["into the home folder", "home/.agents/skills", []],
    ["to the home folder as a whole", "home", [["scan-limit", "link"]]],
    ["out of both", "elsewhere", [["scan-limit", "link"]]],
  ])("a link %s", async (_, target, problems) => {
    const sandbox = createSandbox(DISK_FOLDER);
    team(sandbox, target === "home" ? "home/x" : target, 11);
    link(sandbox, "link", sandbox.path(target));
    expect((await scan(sandbox, { foreign: FEW })).problems).toEqual(problems);
  });

  test("and so is a root that is a link, unless the user named it", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    team(sandbox, "elsewhere", 11);
    mkdirSync(sandbox.path("project/.claude"));
    symlinkSync(sandbox.path("elsewhere"), sandbox.path(ROOT));
    const capped = await scan(sandbox, { foreign: FEW });
    expect([capped.skills.length, capped.problems]).toEqual([10, [["scan-limit", ""]]]);
    const whole = await scan(sandbox, { foreign: FEW, named: true });
    expect([whole.skills.length, whole.problems]).toEqual([11, []]);
  });
});

test("a client that works in / has no project, so that not everything is its own", async () => {
  const { isOwn } = createLinkBounds({ home: "/home/me", projects: ["/", "/srv/app"] });
  const places = ["/home/me/x", "/home/me", "/home/you", "/srv/app/x", "/srv", "/etc"];
  expect(await Promise.all(places.map(isOwn))).toEqual([true, false, false, true, false, false]);
});
