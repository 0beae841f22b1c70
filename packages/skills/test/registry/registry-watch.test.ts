import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox, DISK_FOLDER, skillText } from "../../../../test/support/sandbox.ts";
import { waitUntil } from "../../../../test/support/wait-until.ts";
import { TELLS_WATCHES, watchedAmong } from "./inotify.ts";
import { namesIn, openWatchingRegistry, scannerOf } from "./open-registry.ts";

const SKILLS = "project/.claude/skills";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** As editors do: write beside the file, then rename over it. */
function atomicSave(file: string, text: string): void {
  writeFileSync(`${file}.tmp`, text);
  renameSync(`${file}.tmp`, file);
}

// All of this waits for the watcher most of the time, so that the tests run side by side.
describe.concurrent("without any interval", () => {
  test("atomic saves are noticed, one after the other", async ({ onTestFinished }) => {
    const sandbox = createSandbox(DISK_FOLDER, onTestFinished);
    const file = sandbox.skill(`${SKILLS}/pdf`);
    const { serves } = await openWatchingRegistry(sandbox, {}, onTestFinished);
    for (const description of ["First save.", "Second save.", "Third save."]) {
      atomicSave(file, skillText("pdf", description));
      await serves(description);
    }
    writeFileSync(file, skillText("pdf", "In place."));
    await serves("In place.");
  });

  test("of two writes 100 ms apart the second is served (P10)", async ({ onTestFinished }) => {
    const sandbox = createSandbox(DISK_FOLDER, onTestFinished);
    const file = sandbox.skill(`${SKILLS}/pdf`);
    const { serves } = await openWatchingRegistry(sandbox, {}, onTestFinished);
    writeFileSync(file, skillText("pdf", "First."));
    await pause(100);
    writeFileSync(file, skillText("pdf", "Second."));
    await serves("Second.");
  });

  test("a write right after each scan is served too", async ({ onTestFinished }) => {
    const sandbox = createSandbox(DISK_FOLDER, onTestFinished);
    const file = sandbox.skill(`${SKILLS}/pdf`);
    const { serves, nextScan } = await openWatchingRegistry(sandbox, {}, onTestFinished);
    for (let edit = 1; edit <= 3; edit++) {
      const scanned = nextScan();
      writeFileSync(file, skillText("pdf", `Edit ${edit}a.`));
      await scanned;
      writeFileSync(file, skillText("pdf", `Edit ${edit}b.`));
      await serves(`Edit ${edit}b.`);
    }
  });

  test("a new skill is announced, and a client is told what it can see (P5)", async ({ onTestFinished }) => {
    const sandbox = createSandbox(DISK_FOLDER, onTestFinished);
    sandbox.skill(`${SKILLS}/pdf`);
    const { events, serves } = await openWatchingRegistry(sandbox, {}, onTestFinished);
    sandbox.skill(`${SKILLS}/git`, { description: "Git." });
    await serves("Git.", "Does pdf things.");
    const announced = events.filter((event) => event.change !== undefined);
    expect(announced.map((event) => event.change)).toEqual([{ added: 1, removed: 0, changed: 0 }]);
    expect(announced[0]?.reasons).toContain("watch");
  });

  test("a SKILL.md that is written 50 ms after its folder is found", async ({ onTestFinished }) => {
    const sandbox = createSandbox(DISK_FOLDER, onTestFinished);
    sandbox.skill(`${SKILLS}/pdf`, { description: "Old." });
    const { serves } = await openWatchingRegistry(sandbox, {}, onTestFinished);
    mkdirSync(sandbox.path(SKILLS, "new"));
    await pause(50);
    sandbox.skill(`${SKILLS}/new`, { description: "New." });
    await serves("New.", "Old.");
  });

  test("a SKILL.md that is written after a scan saw its empty folder is found", async ({
    onTestFinished,
  }) => {
    const sandbox = createSandbox(DISK_FOLDER, onTestFinished);
    mkdirSync(sandbox.path(SKILLS), { recursive: true });
    const { serves, nextScan } = await openWatchingRegistry(sandbox, {}, onTestFinished);
    const scanned = nextScan();
    mkdirSync(sandbox.path(SKILLS, "group/new"), { recursive: true });
    await scanned;
    sandbox.skill(`${SKILLS}/group/new`, { description: "New." });
    await serves("New.");
  });

  test("a folder that is deleted and made again is followed, and edits in it are seen", async ({
    onTestFinished,
  }) => {
    const sandbox = createSandbox(DISK_FOLDER, onTestFinished);
    const file = sandbox.skill(`${SKILLS}/pdf`);
    const { serves } = await openWatchingRegistry(sandbox, {}, onTestFinished);
    rmSync(path.dirname(file), { recursive: true });
    await serves();
    sandbox.skill(`${SKILLS}/pdf`, { description: "Again." });
    await serves("Again.");
    rmSync(path.dirname(file), { recursive: true });
    sandbox.skill(`${SKILLS}/pdf`, { description: "At once." });
    await serves("At once.");
    writeFileSync(file, skillText("pdf", "Edited."));
    await serves("Edited.");
  });

  test("a renamed folder and a disabled skill are noticed", async ({ onTestFinished }) => {
    const sandbox = createSandbox(DISK_FOLDER, onTestFinished);
    sandbox.skill(`${SKILLS}/a`, { name: "pdf", description: "PDF." });
    const { registry, serves } = await openWatchingRegistry(sandbox, {}, onTestFinished);
    renameSync(sandbox.path(SKILLS, "a"), sandbox.path(SKILLS, "b"));
    await waitUntil("the new folder is served", async () => {
      const { catalog } = await registry.snapshot();
      return catalog.entries[0]?.skill.dir === sandbox.path(SKILLS, "b");
    });
    renameSync(sandbox.path(SKILLS, "b/SKILL.md"), sandbox.path(SKILLS, "b/.SKILL.md"));
    await serves();
    expect((await registry.snapshot()).disabled.entries).toMatchObject([{ listedAs: "pdf" }]);
  });

  test("a root that appears later is picked up, its missing parents too (N12)", async ({
    onTestFinished,
  }) => {
    const sandbox = createSandbox(DISK_FOLDER, onTestFinished);
    const { serves } = await openWatchingRegistry(sandbox, {}, onTestFinished);
    sandbox.skill("home/.config/opencode/skills/pdf", { description: "PDF." });
    await serves("PDF.");
    sandbox.skill(`${SKILLS}/git`, { description: "Git." });
    await serves("Git.", "PDF.");
  });

  test("a root that appears step by step is picked up", async ({ onTestFinished }) => {
    const sandbox = createSandbox(DISK_FOLDER, onTestFinished);
    const { serves, nextScan } = await openWatchingRegistry(sandbox, {}, onTestFinished);
    for (const step of ["project/.claude", "project/.claude/skills", "project/.claude/skills/pdf"]) {
      const scanned = nextScan();
      mkdirSync(sandbox.path(step));
      await scanned;
    }
    sandbox.skill(`${SKILLS}/pdf`, { description: "PDF." });
    await serves("PDF.");
  });

  test("a root that is deleted and comes back is picked up", async ({ onTestFinished }) => {
    const sandbox = createSandbox(DISK_FOLDER, onTestFinished);
    sandbox.skill(`${SKILLS}/pdf`, { description: "PDF." });
    const { serves } = await openWatchingRegistry(sandbox, {}, onTestFinished);
    rmSync(sandbox.path("project/.claude"), { recursive: true });
    await serves();
    sandbox.skill(`${SKILLS}/pdf`, { description: "Back." });
    await serves("Back.");
  });

  test("a plugin that is installed, and one that is turned off, is noticed", async ({ onTestFinished }) => {
    const sandbox = createSandbox(DISK_FOLDER, onTestFinished);
    sandbox.skill("plugins/docs/skills/pdf", { description: "Plugin." });
    const { serves } = await openWatchingRegistry(sandbox, {}, onTestFinished);
    const plugins = { "docs@acme": { installPath: sandbox.path("plugins/docs") } };
    sandbox.write("home/.claude/plugins/installed_plugins.json", JSON.stringify({ plugins }));
    await serves("Plugin.");
    sandbox.write("home/.claude/settings.json", JSON.stringify({ enabledPlugins: { "docs@acme": false } }));
    await serves();
  });

  test("hundreds of changes, as of a git checkout, end as the disk is", async ({ onTestFinished }) => {
    const sandbox = createSandbox(DISK_FOLDER, onTestFinished);
    for (let index = 0; index < 100; index++) sandbox.skill(`${SKILLS}/s${index}`);
    const { registry } = await openWatchingRegistry(sandbox, {}, onTestFinished);
    for (let index = 0; index < 100; index++) {
      if (index % 3 === 0) rmSync(sandbox.path(SKILLS, `s${index}`), { recursive: true });
      else sandbox.skill(`${SKILLS}/s${index}`, { description: `Branch ${index}.` });
      sandbox.skill(`${SKILLS}/group/t${index}`);
      if (index % 10 === 0) await pause(30);
    }
    const { enabled } = await scannerOf(sandbox)();
    await waitUntil("all of it is served", async () => {
      const { catalog } = await registry.snapshot();
      return (
        JSON.stringify(sorted(catalog.entries.map((entry) => entry.skill))) ===
        JSON.stringify(sorted(enabled))
      );
    });
  });
});

describe.concurrent("links", () => {
  test("an edit in a linked folder is noticed where the folder really lies", async ({ onTestFinished }) => {
    const sandbox = createSandbox(DISK_FOLDER, onTestFinished);
    const file = sandbox.skill("shared/foo");
    mkdirSync(sandbox.path(SKILLS), { recursive: true });
    symlinkSync(sandbox.path("shared/foo"), sandbox.path(SKILLS, "foo"));
    const { serves } = await openWatchingRegistry(sandbox, {}, onTestFinished);
    atomicSave(file, skillText("foo", "Edited."));
    await serves("Edited.");
  });

  test("an edit of the file behind a linked SKILL.md is noticed", async ({ onTestFinished }) => {
    const sandbox = createSandbox(DISK_FOLDER, onTestFinished);
    const file = sandbox.write("shared/doc.md", skillText("doc", "Before."));
    mkdirSync(sandbox.path(SKILLS, "doc"), { recursive: true });
    symlinkSync(file, sandbox.path(SKILLS, "doc/SKILL.md"));
    const { serves } = await openWatchingRegistry(sandbox, {}, onTestFinished);
    writeFileSync(file, skillText("doc", "In place."));
    await serves("In place.");
    atomicSave(file, skillText("doc", "Saved."));
    await serves("Saved.");
  });

  test("a linked folder that goes and comes back is noticed", async ({ onTestFinished }) => {
    const sandbox = createSandbox(DISK_FOLDER, onTestFinished);
    sandbox.skill("shared/foo", { description: "Foo." });
    mkdirSync(sandbox.path(SKILLS), { recursive: true });
    symlinkSync(sandbox.path("shared/foo"), sandbox.path(SKILLS, "foo"));
    const { serves } = await openWatchingRegistry(sandbox, {}, onTestFinished);
    rmSync(sandbox.path("shared"), { recursive: true });
    await serves();
    sandbox.skill("shared/foo", { description: "Back." });
    await serves("Back.");
  });

  test("a root that is a link is followed to where it is turned", async ({ onTestFinished }) => {
    const sandbox = createSandbox(DISK_FOLDER, onTestFinished);
    sandbox.skill("versions/1/pdf", { description: "One." });
    sandbox.skill("versions/2/pdf", { description: "Two." });
    mkdirSync(sandbox.path("project/.claude"), { recursive: true });
    symlinkSync(sandbox.path("versions/1"), sandbox.path(SKILLS));
    const { serves } = await openWatchingRegistry(sandbox, {}, onTestFinished);
    symlinkSync(sandbox.path("versions/2"), sandbox.path("project/.claude/next"));
    renameSync(sandbox.path("project/.claude/next"), sandbox.path(SKILLS));
    await serves("Two.");
  });

  test("a folder above a root that is renamed takes its skills away", async ({ onTestFinished }) => {
    const sandbox = createSandbox(DISK_FOLDER, onTestFinished);
    sandbox.skill(`${SKILLS}/pdf`, { description: "PDF." });
    const { serves } = await openWatchingRegistry(sandbox, {}, onTestFinished);
    renameSync(sandbox.path("project/.claude"), sandbox.path("project/.claude-old"));
    await serves();
  });
});

describe.concurrent("no needless scan", () => {
  test("unrelated files beside a missing root cause no scan", async ({ onTestFinished }) => {
    const sandbox = createSandbox(DISK_FOLDER, onTestFinished);
    const { events } = await openWatchingRegistry(sandbox, {}, onTestFinished);
    let number = 0;
    await waitUntil("an unrelated file causes no scan", async () => {
      const before = events.length;
      sandbox.write(`project/notes-${number++}.txt`, "x");
      sandbox.write(`home/folder-${number}/x.txt`, "x");
      // Twice the debounce: a scan that the file caused would have come by now.
      await pause(1_000);
      return events.length === before;
    });
  });

  test.skipIf(!TELLS_WATCHES)(
    "close ends every watch and everything that is due (Linux)",
    async ({ onTestFinished }) => {
      const sandbox = createSandbox(DISK_FOLDER, onTestFinished);
      const file = sandbox.skill(`${SKILLS}/pdf`);
      const { registry, events } = await openWatchingRegistry(
        sandbox,
        { intervalMs: 60_000 },
        onTestFinished,
      );
      const folders = ["project", "home", SKILLS, `${SKILLS}/pdf`].map((each) => sandbox.path(each));
      expect(watchedAmong(folders)).toEqual(folders);
      writeFileSync(file, skillText("pdf", "Due."));
      await pause(100);
      registry.close();
      registry.close();
      const before = events.length;
      expect(watchedAmong(folders)).toEqual([]);
      writeFileSync(file, skillText("pdf", "Later."));
      await pause(1_000);
      expect(events).toHaveLength(before);
      // It can still be asked; it only does nothing by itself.
      expect(namesIn(await registry.refresh("request"))).toEqual(["pdf"]);
      expect(watchedAmong(folders)).toEqual([]);
    },
  );
});

function sorted(
  skills: readonly { readonly dir: string; readonly description: string }[],
): readonly string[] {
  return skills.map(({ dir, description }) => `${dir} ${description}`).sort();
}
