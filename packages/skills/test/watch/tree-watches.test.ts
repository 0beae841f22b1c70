import { EventEmitter } from "node:events";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { PLATFORMS, type Platform } from "#util";
import { createSandbox, type Sandbox } from "../../../../test/support/sandbox.ts";
import { type FolderChange, FolderWatcher } from "../../src/watch/folder-watcher.ts";

class FakeWatch extends EventEmitter {
  readonly folder: string;
  readonly isTree: boolean;
  isOpen = true;

  constructor(folder: string, isTree: boolean) {
    super();
    this.folder = folder;
    this.isTree = isTree;
  }

  close(): void {
    this.isOpen = false;
  }
}

/** Another system whose watches report what a test says that they report. */
function fake(name: "darwin" | "win32" | "linux", isReported: (folder: string) => boolean = () => true) {
  const all: FakeWatch[] = [];
  const on = {
    ...PLATFORMS[name],
    watching: {
      ...PLATFORMS[name].watching,
      isReported,
      watch(folder: string, isTree: boolean) {
        const watch = new FakeWatch(folder, isTree);
        all.push(watch);
        return watch;
      },
    },
  } as unknown as Platform;
  const open = () => all.filter((watch) => watch.isOpen);
  return {
    on,
    open: () => open().map(({ folder, isTree }) => `${isTree ? "tree" : "folder"} ${folder}`),
    /** Replays recorded events of one watch: [kind, name]. */
    report(folder: string, ...events: readonly (readonly [string, string | null])[]) {
      const watch = open().find((each) => each.folder === folder);
      if (watch === undefined) throw new Error(`${folder} is not watched`);
      for (const [kind, changed] of events) watch.emit("change", kind, changed);
    },
  };
}

function openWatcher(system: ReturnType<typeof fake>) {
  const changes: (FolderChange | undefined)[] = [];
  const unreported: string[] = [];
  const watcher = new FolderWatcher(
    {
      onChange: (change) => changes.push(change),
      onLimit: () => {},
      onUnreported: (folder) => unreported.push(folder),
    },
    system.on,
  );
  onTestFinished(() => watcher.close());
  return { watcher, changes, unreported };
}

/** `skills` with `pdf` and `pdf/scripts`, which a scan lists, and `pdf/.git`, which none does. */
function tree(sandbox: Sandbox) {
  const [skills = "", pdf = "", scripts = ""] = ["skills", "skills/pdf", "skills/pdf/scripts"].map((name) => {
    mkdirSync(sandbox.path(name), { recursive: true });
    return sandbox.path(name);
  });
  return { skills, pdf, scripts, all: new Set([skills, pdf, scripts]) };
}

describe.each(["darwin", "win32"] as const)("on %s", (name) => {
  test("one watch reports a root and all below it, so that no folder in it is held", async () => {
    const system = fake(name);
    const { watcher } = openWatcher(system);
    const { skills, all } = tree(createSandbox());
    for (const folder of all) watcher.ensure(folder);
    expect(await watcher.settle(all, [])).toBe(false);
    expect(system.open()).toEqual([`tree ${skills}`]);
  });

  test("a change is one of the folder that a scan lists, and what none lists does not count", () => {
    const system = fake(name);
    const { watcher, changes } = openWatcher(system);
    const { skills, pdf, scripts, all } = tree(createSandbox());
    for (const folder of all) watcher.ensure(folder);
    system.report(
      skills,
      ["rename", "new"],
      ["change", path.join("pdf", "SKILL.md")],
      ["rename", path.join("pdf", "scripts", "run.py")],
      ["change", path.join("pdf", ".git", "index")],
      ["change", path.join("pdf", ".git", "objects", "ab")],
    );
    expect(changes).toEqual([
      { folder: skills, name: "new" },
      { folder: pdf, name: "SKILL.md" },
      { folder: scripts, name: "run.py" },
    ]);
  });

  test("a folder that the system spells in another way is the one that was listed", () => {
    const system = fake(name);
    const { watcher, changes } = openWatcher(system);
    const { skills, pdf, all } = tree(createSandbox());
    for (const folder of all) watcher.ensure(folder);
    system.report(skills, ["change", path.join("PDF", "SKILL.md")]);
    expect(changes).toEqual([{ folder: pdf, name: "SKILL.md" }]);
  });

  test("an overflow, which names nothing, makes the whole root dirty", () => {
    const system = fake(name);
    const { watcher, changes } = openWatcher(system);
    const { skills, all } = tree(createSandbox());
    for (const folder of all) watcher.ensure(folder);
    system.report(skills, ["change", null]);
    expect(changes).toEqual([{ folder: skills, name: undefined }]);
  });

  test("a root that was moved is watched anew by the next scan", () => {
    const system = fake(name);
    const { watcher, changes } = openWatcher(system);
    const { skills, all } = tree(createSandbox());
    for (const folder of all) watcher.ensure(folder);
    system.report(skills, ["rename", "skills"]);
    expect(changes).toContain(undefined);
    for (const folder of all) watcher.ensure(folder);
    expect(system.open()).toEqual([`tree ${skills}`]);
  });

  test("what is awaited beside all that a user has is watched without what lies below", async () => {
    const system = fake(name);
    const sandbox = createSandbox();
    const { watcher } = openWatcher(system);
    await watcher.settle(new Set(), [sandbox.path("home/skills")]);
    expect(system.open()).toEqual([`folder ${sandbox.home}`]);
    watcher.ensure(sandbox.home);
    expect(system.open()).toEqual([`tree ${sandbox.home}`]);
  });

  test("folders of the last scan alone count", async () => {
    const system = fake(name);
    const { watcher, changes } = openWatcher(system);
    const { skills, pdf, all } = tree(createSandbox());
    for (const folder of all) watcher.ensure(folder);
    await watcher.settle(new Set([skills, pdf]), []);
    system.report(skills, ["change", path.join("pdf", "scripts", "run.py")]);
    expect(changes).toEqual([]);
  });
});

test.each([
  ["linux", true],
  ["win32", true],
  ["darwin", false],
] as const)("on %s, silence is certain: %s", (name, isCertain) => {
  expect(openWatcher(fake(name)).watcher.isHealthy()).toBe(isCertain);
});

describe("a file system that reports nothing", () => {
  test("is not watched, and the first folder of it is told once", async () => {
    const system = fake("linux", (folder) => !folder.includes("mounted"));
    const sandbox = createSandbox();
    const { watcher, unreported } = openWatcher(system);
    const [here = "", there = "", deep = ""] = ["here", "mounted", "mounted/deep"].map((name) =>
      sandbox.path(name),
    );
    for (const folder of [here, there, deep]) watcher.ensure(folder);
    expect(unreported).toEqual([there]);
    expect(system.open()).toEqual([`folder ${here}`]);
    expect(watcher.isHealthy()).toBe(false);
    await watcher.settle(new Set([here]), []);
    expect(watcher.isHealthy()).toBe(true);
  });
});
