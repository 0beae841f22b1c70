import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestsOf, readInstalledContent, type SkillContent } from "#skills";
import { createSandbox, type Sandbox } from "../../../../test/support/sandbox.ts";
import {
  type ApplyOptions,
  applyChanges,
  commandFolder,
  type FolderChange,
  repair,
} from "../../src/apply/apply-changes.ts";
import { readJournal, writeJournal } from "../../src/apply/journal.ts";
import { lastChanges } from "../../src/apply/trash.ts";

const contentOf = (text: string): SkillContent =>
  new Map([
    ["SKILL.md", { bytes: Buffer.from(text), isExecutable: false }],
    ["scripts/run.sh", { bytes: Buffer.from(text), isExecutable: true }],
  ]);

/** A project with its lock and its trash. */
function openProject({ project, home }: Sandbox) {
  const skillsDir = path.join(project, ".agents", "skills");
  const lock = { file: path.join(project, "skills-lock.json"), format: "project" } as const;
  let commands = 0;
  const optionsOf = (): ApplyOptions => {
    const command = `command-${String(commands++).padStart(5, "0")}`;
    return {
      journalFolder: path.join(home, "journal"),
      command,
      base: project,
      lock,
      trash: path.join(home, "trash"),
      fetchFolder: commandFolder(skillsDir, command),
    };
  };
  const folderOf = (name: string): string => path.join(skillsDir, name);
  const textOf = (name: string): string | undefined =>
    readInstalledContent(folderOf(name))?.get("SKILL.md")?.bytes.toString();
  const change = (name: string, text: string | undefined): FolderChange => {
    const before = textOf(name);
    const seen = readInstalledContent(folderOf(name));
    return {
      name,
      kind: text === undefined ? "remove" : before === undefined ? "add" : "update",
      before: before === undefined ? null : { source: before },
      after: text === undefined ? null : { source: text },
      places: [
        {
          target: folderOf(name),
          becomes: text === undefined ? { kind: "nothing" } : { kind: "files", content: contentOf(text) },
          expected: seen === undefined ? "nothing" : digestsOf(seen),
        },
      ],
    };
  };
  const locked = (): Readonly<Record<string, unknown>> =>
    existsSync(lock.file) ? JSON.parse(readFileSync(lock.file, "utf8")).skills : {};
  return { skillsDir, optionsOf, folderOf, textOf, change, locked };
}

const NAMES = ["a", "b", "c"];

describe("applying a plan", () => {
  test("gives the disk and the lock that an obvious model has", async () => {
    const step = fc.uniqueArray(
      fc.record({ name: fc.constantFrom(...NAMES), text: fc.option(fc.stringMatching(/^[xyz]{1,3}$/)) }),
      {
        selector: ({ name }) => name,
        minLength: 1,
      },
    );
    const sandbox = createSandbox();
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        const root = sandbox.path(`run-${runs++}`);
        mkdirSync(path.join(root, "project"), { recursive: true });
        const { optionsOf, textOf, change, locked } = openProject({
          ...sandbox,
          project: path.join(root, "project"),
          home: path.join(root, "home"),
        });
        const model = new Map<string, string>();
        for (const wanted of steps) {
          const changes = wanted.filter(({ name, text }) => text !== null || model.has(name));
          if (changes.length === 0) continue;
          const failed = await applyChanges(
            changes.map(({ name, text }) => change(name, text ?? undefined)),
            optionsOf(),
          );
          expect(failed).toEqual([]);
          for (const { name, text } of changes) {
            if (text === null) model.delete(name);
            else model.set(name, text);
          }
          expect(
            Object.fromEntries(
              NAMES.flatMap((name) => (textOf(name) === undefined ? [] : [[name, textOf(name)]])),
            ),
          ).toEqual(Object.fromEntries(model));
          expect(locked()).toEqual(
            Object.fromEntries([...model].map(([name, text]) => [name, { source: text }])),
          );
          if (existsSync(path.join(root, "project/.agents")))
            expect(readdirSync(path.join(root, "project/.agents"))).not.toContain(".skills-mcp");
        }
      }),
      { numRuns: 25 },
    );
  });

  test("refuses a skill that changed after it was planned, and makes the other changes", async () => {
    const { optionsOf, folderOf, textOf, change, locked } = openProject(createSandbox());
    await applyChanges([change("a", "1"), change("b", "1")], optionsOf());
    const changes = [change("a", "2"), change("b", "2")];
    writeFileSync(path.join(folderOf("a"), "SKILL.md"), "edited just now");
    const failed = await applyChanges(changes, optionsOf());
    expect(failed).toMatchObject([
      { name: "a", reason: expect.stringContaining("was changed by another program") },
    ]);
    expect([textOf("a"), textOf("b")]).toEqual(["edited just now", "2"]);
    expect(locked()).toEqual({ a: { source: "1" }, b: { source: "2" } });
  });

  test("keeps the executable bit, and what was replaced is in the trash", async () => {
    const sandbox = createSandbox();
    const { optionsOf, folderOf, change } = openProject(sandbox);
    await applyChanges([change("a", "1")], optionsOf());
    if (process.platform !== "win32")
      expect(lstatSync(path.join(folderOf("a"), "scripts/run.sh")).mode & 0o777).toBe(0o755);
    await applyChanges([change("a", "2")], optionsOf());
    const [record] = await lastChanges(path.join(sandbox.home, "trash"), () => true);
    expect(record).toMatchObject({
      name: "a",
      kind: "update",
      before: { source: "1" },
      after: { source: "2" },
    });
    expect(readFileSync(path.join(record?.places[0]?.old ?? "", "SKILL.md"), "utf8")).toBe("1");
  });

  test.runIf(process.platform !== "win32")(
    "a link in the place of the staging folder is not followed",
    async () => {
      const sandbox = createSandbox();
      const { skillsDir, optionsOf, change } = openProject(sandbox);
      sandbox.write("elsewhere/precious.txt", "precious");
      mkdirSync(path.dirname(skillsDir), { recursive: true });
      symlinkSync(sandbox.path("elsewhere"), path.join(path.dirname(skillsDir), ".skills-mcp"));
      await expect(applyChanges([change("a", "1")], optionsOf())).rejects.toThrow("is not a folder");
      expect(readdirSync(sandbox.path("elsewhere"))).toEqual(["precious.txt"]);
    },
  );
});

describe("after an interruption", () => {
  /** The disk as a kill leaves it: the journal is written, and so many renames of the update were made. */
  async function interrupted(renames: 0 | 1 | 2) {
    const sandbox = createSandbox();
    const project = openProject(sandbox);
    const { optionsOf, change, folderOf, skillsDir } = project;
    await applyChanges([change("a", "1")], optionsOf());
    const { command, journalFolder, base, lock, trash, fetchFolder } = optionsOf();
    const staged = path.join(fetchFolder, "new", "0-0");
    const old = path.join(fetchFolder, "old", "0-0");
    mkdirSync(path.dirname(old), { recursive: true });
    const write = (folder: string, text: string): void => {
      mkdirSync(path.join(folder, "scripts"), { recursive: true });
      writeFileSync(path.join(folder, "SKILL.md"), text);
    };
    const change2 = {
      name: "a",
      kind: "update",
      before: { source: "1" },
      after: { source: "2" },
      places: [{ target: folderOf("a"), staged, old }],
    } as const;
    const rest = { command, isUndo: false, base, lock, trash, staging: [fetchFolder] };
    await writeJournal(journalFolder, {
      version: 1,
      ...rest,
      changes: [{ ...change2, places: [change2.places[0]] }],
    });
    write(staged, "2");
    if (renames > 0) renameSync(folderOf("a"), old);
    if (renames > 1) renameSync(staged, folderOf("a"));
    return { ...project, journalFolder, command, trash, staged, old, agents: path.dirname(skillsDir) };
  }

  test.each([
    [0, "1"],
    [1, "1"],
    [2, "2"],
  ] as const)("by %i renames the skill has version %s, and the lock says so", async (renames, version) => {
    const { journalFolder, textOf, locked, agents } = await interrupted(renames);
    expect(await repair(journalFolder)).toEqual({ repaired: true, aside: [] });
    expect(textOf("a")).toBe(version);
    expect(locked()).toEqual({ a: { source: version } });
    expect(readdirSync(agents)).toEqual(["skills"]);
    expect(await readJournal(journalFolder)).toBeUndefined();
    expect((await repair(journalFolder)).repaired).toBe(false);
  });

  test("an edit made before the repair stays", async () => {
    const { journalFolder, textOf, folderOf } = await interrupted(0);
    writeFileSync(path.join(folderOf("a"), "SKILL.md"), "edited");
    await repair(journalFolder);
    expect(textOf("a")).toBe("edited");
  });

  test("an edit that an interrupted update moved aside is in the trash if somebody made the folder anew", async () => {
    const { journalFolder, folderOf, textOf, trash, command, old, agents, locked } = await interrupted(1);
    writeFileSync(path.join(old, "SKILL.md"), "edited");
    mkdirSync(folderOf("a"));
    writeFileSync(path.join(folderOf("a"), "SKILL.md"), "of git checkout");
    const { aside } = await repair(journalFolder);
    const kept = path.join(trash, command, "aside", "0-0");
    expect(aside).toEqual([{ target: folderOf("a"), kept }]);
    expect(readFileSync(path.join(kept, "SKILL.md"), "utf8")).toBe("edited");
    expect(textOf("a")).toBe("of git checkout");
    expect(locked()).toEqual({ a: { source: "1" } });
    expect(readdirSync(agents)).toEqual(["skills"]);
  });

  test("a copy for an agent that was made anew between its two renames does not block the next command", async () => {
    const { journalFolder, folderOf, textOf, trash, command, staged, old, agents } = await interrupted(2);
    const journal = await readJournal(journalFolder);
    const [change] = journal?.changes ?? [];
    if (journal === undefined || change === undefined) throw new Error("there is no journal");
    const copy = { target: folderOf("copy"), staged: `${staged}1`, old: `${old}1` };
    const places = [change.places[0], copy] as const;
    await writeJournal(journalFolder, { ...journal, changes: [{ ...change, places }] });
    for (const [folder, text] of [
      [copy.staged, "2"],
      [copy.old, "edited"],
      [copy.target, "of git checkout"],
    ] as const) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, "SKILL.md"), text);
    }
    const { aside } = await repair(journalFolder);
    expect([textOf("a"), textOf("copy")]).toEqual(["2", "2"]);
    const inTrash = (...parts: string[]) =>
      readFileSync(path.join(trash, command, ...parts, "SKILL.md"), "utf8");
    expect([inTrash("0", "1"), inTrash("aside", "0-01-2")]).toEqual(["edited", "of git checkout"]);
    expect(aside.map(({ target }) => target)).toEqual([copy.target]);
    expect(readdirSync(agents)).toEqual(["skills"]);
  });

  test("a trash on another file system that has the whole copy already does not block the next command", async () => {
    const { journalFolder, textOf, trash, command, old, agents } = await interrupted(2);
    const kept = path.join(trash, command, "0", "0");
    mkdirSync(kept, { recursive: true });
    writeFileSync(path.join(kept, "SKILL.md"), "edited");
    // The kill came while the original was being removed.
    expect(existsSync(path.join(old, "SKILL.md"))).toBe(true);
    await repair(journalFolder);
    expect(textOf("a")).toBe("2");
    expect(readFileSync(path.join(kept, "SKILL.md"), "utf8")).toBe("edited");
    expect(readdirSync(agents)).toEqual(["skills"]);
    expect((await repair(journalFolder)).repaired).toBe(false);
  });

  test("a journal that was cut off means that nothing had begun", async () => {
    const { journalFolder, textOf } = await interrupted(0);
    writeFileSync(path.join(journalFolder, "journal.json"), '{"version":1,"chan');
    expect((await repair(journalFolder)).repaired).toBe(false);
    expect(textOf("a")).toBe("1");
  });
});
