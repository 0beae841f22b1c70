import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSandbox, type Sandbox } from "../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../test/support/wait-until.ts";
import { FolderWatcher } from "../../src/watch/folder-watcher.ts";
import { TELLS_WATCHES, watchedAmong } from "../registry/inotify.ts";

const NONE: ReadonlySet<string> = new Set();

function openWatcher() {
  let changes = 0;
  const limits: string[] = [];
  const watcher = new FolderWatcher({
    onChange: () => void changes++,
    onLimit: (code) => limits.push(code),
  });
  onTestFinished(() => watcher.close());
  return {
    watcher,
    limits,
    changes: () => changes,
    /** Waits for a change that `action` causes. */
    async noticed(what: string, action: () => void): Promise<void> {
      await allEventsSeen();
      const before = changes;
      action();
      await waitUntil(`${what} is noticed`, () => changes > before);
    },
  };
}

/** Watches a folder of its own and waits for an event there: the system reports in order, so all earlier ones came. */
async function allEventsSeen(): Promise<void> {
  const sandbox = createSandbox();
  let seen = false;
  const sentinel = new FolderWatcher({ onChange: () => void (seen = true), onLimit: () => {} });
  sentinel.ensure(sandbox.home);
  writeFileSync(path.join(sandbox.home, "sentinel"), "");
  await waitUntil("the sentinel is noticed", () => seen);
  sentinel.close();
}

function folder(sandbox: Sandbox, name: string): string {
  mkdirSync(sandbox.path(name), { recursive: true });
  return sandbox.path(name);
}

function atomicSave(file: string, text: string): void {
  writeFileSync(`${file}.tmp`, text);
  renameSync(`${file}.tmp`, file);
}

describe("a watched folder", () => {
  test("every atomic save is noticed, not only the first", async () => {
    const sandbox = createSandbox();
    const { watcher, noticed } = openWatcher();
    const file = sandbox.skill("skills/pdf");
    watcher.ensure(path.dirname(file));
    for (const save of ["first", "second", "third"]) {
      await noticed(`the ${save} atomic save`, () => atomicSave(file, save));
    }
    await noticed("a write in place after them", () => writeFileSync(file, "fourth"));
  });

  test("a new file, a new folder, a rename and a deletion are noticed", async () => {
    const sandbox = createSandbox();
    const { watcher, noticed } = openWatcher();
    const skills = folder(sandbox, "skills");
    watcher.ensure(skills);
    await noticed("a new file", () => writeFileSync(path.join(skills, "a"), ""));
    await noticed("a new folder", () => mkdirSync(path.join(skills, "b")));
    await noticed("a rename", () => renameSync(path.join(skills, "b"), path.join(skills, "c")));
    await noticed("a deletion", () => rmSync(path.join(skills, "a")));
  });

  test("a folder that is deleted and made again is watched again", async () => {
    const sandbox = createSandbox();
    const { watcher, noticed } = openWatcher();
    const skills = folder(sandbox, "skills");
    const pdf = folder(sandbox, "skills/pdf");
    for (const each of [skills, pdf]) watcher.ensure(each);
    for (const round of ["first", "second"]) {
      await noticed("the new folder", () => {
        rmSync(pdf, { recursive: true });
        mkdirSync(pdf);
      });
      await allEventsSeen();
      for (const each of [skills, pdf]) watcher.ensure(each);
      await noticed(`a file in the ${round} new folder`, () =>
        writeFileSync(path.join(pdf, "SKILL.md"), round),
      );
    }
  });

  test("a folder that another takes the place of is watched again, and all below it", async () => {
    const sandbox = createSandbox();
    const { watcher, noticed } = openWatcher();
    const folders = ["skills", "skills/pdf", "skills/pdf/deep"].map((name) => folder(sandbox, name));
    const other = folder(sandbox, "other");
    mkdirSync(path.join(other, "deep"));
    for (const each of folders) watcher.ensure(each);
    await noticed("the swap", () => {
      renameSync(sandbox.path("skills/pdf"), sandbox.path("old"));
      renameSync(other, sandbox.path("skills/pdf"));
    });
    await allEventsSeen();
    for (const each of folders) watcher.ensure(each);
    await noticed("a file deep in the new folder", () => {
      writeFileSync(sandbox.path("skills/pdf/deep/SKILL.md"), "");
    });
  });

  test("a file that is called like its folder does not end the watch", async () => {
    const sandbox = createSandbox();
    const { watcher, noticed } = openWatcher();
    const pdf = folder(sandbox, "skills/pdf");
    watcher.ensure(pdf);
    await noticed("the file of the same name", () => writeFileSync(path.join(pdf, "pdf"), ""));
    await allEventsSeen();
    watcher.ensure(pdf);
    await noticed("another file", () => writeFileSync(path.join(pdf, "SKILL.md"), ""));
  });

  test("a folder that is not there is no error", () => {
    const { watcher, limits } = openWatcher();
    watcher.ensure("/nowhere/at/all");
    expect(limits).toEqual([]);
  });

  test.skipIf(!TELLS_WATCHES)("only the folders of the last scan stay watched (Linux)", async () => {
    const sandbox = createSandbox();
    const { watcher } = openWatcher();
    const folders = ["a", "a/b", "c"].map((name) => folder(sandbox, name));
    const [a = "", b = ""] = folders;
    for (const each of folders) watcher.ensure(each);
    expect(watchedAmong(folders)).toEqual(folders);
    await watcher.settle(new Set([a, b]), []);
    expect(watchedAmong(folders)).toEqual([a, b]);
  });
});

describe("a place that is awaited", () => {
  test("a missing folder is noticed when it appears", async () => {
    const sandbox = createSandbox();
    const { watcher, noticed } = openWatcher();
    const skills = sandbox.path("home/skills");
    expect(await watcher.settle(NONE, [skills])).toBe(true);
    await noticed("the folder", () => mkdirSync(skills));
  });

  test("a folder whose parents are missing too is noticed step by step", async () => {
    const sandbox = createSandbox();
    const { watcher, noticed } = openWatcher();
    const skills = sandbox.path("home/a/b/skills");
    for (const step of ["home/a", "home/a/b", "home/a/b/skills"]) {
      expect(await watcher.settle(NONE, [skills])).toBe(true);
      await noticed(step, () => mkdirSync(sandbox.path(step)));
    }
  });

  test("unrelated files beside it are not noticed", async () => {
    const sandbox = createSandbox();
    const { watcher, changes } = openWatcher();
    await watcher.settle(NONE, [sandbox.path("home/.claude/skills"), sandbox.path("home/skills")]);
    for (let index = 0; index < 20; index++) {
      atomicSave(sandbox.write(`home/unrelated-${index}`, ""), "x");
      mkdirSync(sandbox.path(`home/folder-${index}`));
    }
    await allEventsSeen();
    expect(changes()).toBe(0);
    mkdirSync(sandbox.path("home/skills"));
    await waitUntil("the awaited folder is noticed", () => changes() > 0);
  });

  test("an awaited file is noticed at each atomic save", async () => {
    const sandbox = createSandbox();
    const { watcher, noticed } = openWatcher();
    const file = sandbox.path("home/settings.json");
    await watcher.settle(NONE, [file]);
    await noticed("the first save", () => atomicSave(file, "1"));
    expect(await watcher.settle(NONE, [file])).toBe(false);
    await noticed("the second save", () => atomicSave(file, "2"));
    await noticed("the deletion", () => rmSync(file));
  });

  test("when the folder above it goes, that is noticed, and the next one up is watched", async () => {
    const sandbox = createSandbox();
    const { watcher, noticed } = openWatcher();
    const skills = sandbox.path("home/a/skills");
    mkdirSync(path.dirname(skills));
    await watcher.settle(NONE, [skills]);
    await noticed("the end of the folder above", () => rmSync(path.dirname(skills), { recursive: true }));
    await allEventsSeen();
    expect(await watcher.settle(NONE, [skills])).toBe(true);
    await noticed("its return", () => mkdirSync(path.dirname(skills)));
  });

  test("settling again says whether a new place is watched", async () => {
    const sandbox = createSandbox();
    const { watcher } = openWatcher();
    const awaited = [sandbox.path("home/a"), sandbox.path("home/b")];
    expect(await watcher.settle(NONE, awaited)).toBe(true);
    expect(await watcher.settle(NONE, awaited)).toBe(false);
    expect(await watcher.settle(NONE, [sandbox.path("home/a")])).toBe(false);
    expect(await watcher.settle(NONE, [...awaited, sandbox.path("home/c")])).toBe(true);
    expect(await watcher.settle(NONE, [...awaited, sandbox.path("project/a")])).toBe(true);
  });

  test("a folder that is awaited in and then scanned counts for every name", async () => {
    const sandbox = createSandbox();
    const { watcher, noticed } = openWatcher();
    await watcher.settle(NONE, [sandbox.path("home/missing")]);
    watcher.ensure(sandbox.home);
    await watcher.settle(new Set([sandbox.home]), [sandbox.path("home/missing")]);
    await noticed("any file", () => writeFileSync(sandbox.path("home/any"), ""));
  });
});

describe("close", () => {
  test("a closed watcher reports nothing, watches nothing, and can be closed twice", async () => {
    const sandbox = createSandbox();
    const { watcher, changes } = openWatcher();
    watcher.ensure(sandbox.home);
    await allEventsSeen();
    // Pending events are dropped too.
    writeFileSync(sandbox.path("home/pending"), "");
    const before = changes();
    watcher.close();
    watcher.close();
    watcher.ensure(sandbox.home);
    expect(await watcher.settle(new Set([sandbox.home]), [sandbox.path("project/x")])).toBe(false);
    writeFileSync(sandbox.path("home/later"), "");
    await allEventsSeen();
    expect(changes()).toBe(before);
    if (TELLS_WATCHES) expect(watchedAmong([sandbox.home, sandbox.project])).toEqual([]);
  });
});
