import { spawnSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createSandbox, DISK_FOLDER, type Sandbox } from "../../../../test/support/sandbox.ts";
import { buildLibrary } from "../../src/library/library.ts";
import { createLibraryScanner, type ScannedLibrary } from "../../src/scan/scan-library.ts";

const TEXT = "---\nkeywords: [word]\ndescription: A description\n---\nText.\n";

/** Writes skills into `library/` of the sandbox and returns a scanner of it. */
function libraryOf(sandbox: Sandbox, files: readonly string[], text = TEXT) {
  mkdirSync(sandbox.path("library"), { recursive: true });
  for (const file of files) sandbox.write(`library/${file}`, text);
  return scannerOf(sandbox);
}

function scannerOf(sandbox: Sandbox) {
  const root = { dir: sandbox.path("library"), location: "project" as const, prefix: "", named: true };
  const scan = createLibraryScanner({ libraries: [root], now: Date.now });
  return async () => (await scan())[0] as ScannedLibrary;
}

const pathsIn = (scanned: ScannedLibrary) => [...buildLibrary([scanned]).skills.keys()];

describe("seed 004 §4.1: discovery", () => {
  test("every .md file at any depth is a skill, and nothing else is", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const scan = libraryOf(sandbox, ["_root.md", "ui/_index.md", "ui/react/auth.md", "a/b/c/d.md"]);
    sandbox.write("library/notes.txt", TEXT);
    sandbox.write("library/.md", TEXT);
    sandbox.write("library/.git/x.md", TEXT);
    sandbox.write("library/node_modules/p/README.md", TEXT);
    expect(pathsIn(await scan())).toEqual(["_root", "a/b/c/d", "ui/_index", "ui/react/auth"]);
  });

  test("hidden files and folders are not part of it", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const scan = libraryOf(sandbox, ["team.md", ".draft.md", ".github/bug.md", "ui/.editor/notes.md"]);
    symlinkSync(sandbox.path("library/ui"), sandbox.path("library/.linked"));
    const scanned = await scan();
    expect(pathsIn(scanned)).toEqual(["team"]);
    expect(scanned.diagnostics).toEqual([]);
  });

  test(".md files in a resource folder are not skills", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const scan = libraryOf(sandbox, ["_root.md", "ui/react/auth.md", "ui/_index.md"]);
    for (const folder of ["_root", "ui/_index", "ui/react/auth"]) {
      sandbox.write(`library/${folder}/assets/NOTES.md`, TEXT);
      sandbox.write(`library/${folder}/README.md`, TEXT);
    }
    expect(pathsIn(await scan())).toEqual(["_root", "ui/_index", "ui/react/auth"]);
  });

  test("a folder called _index or _root holds no skills even when its file is missing, which is said until it is there", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const scan = libraryOf(sandbox, ["ui/_index/assets/x.md", "_root/y.md"]);
    const scanned = await scan();
    expect(pathsIn(scanned)).toEqual([]);
    expect(scanned.diagnostics).toEqual([
      {
        severity: "warning",
        code: "hidden-skills",
        file: sandbox.path("library/_root"),
        message:
          "A folder called _root holds the files of _root.md, which is not beside it, so nothing in it is served, neither as a file nor as a skill. Add _root.md, or rename the folder.",
      },
      expect.objectContaining({ code: "hidden-skills", file: sandbox.path("library/ui/_index") }),
    ]);
    sandbox.write("library/ui/_index.md", TEXT);
    sandbox.write("library/_root.md", TEXT);
    expect(await scan()).toMatchObject({ diagnostics: [], files: [{}, {}] });
    rmSync(sandbox.path("library/_root.md"));
    expect((await scan()).diagnostics).toMatchObject([{ file: sandbox.path("library/_root") }]);
  });

  test("an empty library, and one that is not there yet, are no failure", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const scan = libraryOf(sandbox, []);
    expect(await scan()).toMatchObject({ files: [], diagnostics: [] });
    rmSync(sandbox.path("library"), { recursive: true });
    expect((await scan()).diagnostics).toMatchObject([{ severity: "warning", code: "root-missing" }]);
    sandbox.write("library/a.md", TEXT);
    expect(pathsIn(await scan())).toEqual(["a"]);
  });
});

describe("seed 004 §4.5: resource folders", () => {
  test("lie beside their file under its name", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const scan = libraryOf(sandbox, ["_root.md", "ui/_index.md", "ui/react/auth.md", "plain.md"]);
    for (const folder of ["_root", "ui/_index", "ui/react/auth"]) mkdirSync(sandbox.path("library", folder));
    const { skills } = buildLibrary([await scan()]);
    expect([...skills.values()].map(({ path, resourceDir }) => [path, resourceDir])).toEqual([
      ["_root", sandbox.path("library/_root")],
      ["plain", undefined],
      ["ui/_index", sandbox.path("library/ui/_index")],
      ["ui/react/auth", sandbox.path("library/ui/react/auth")],
    ]);
  });

  test("a linked one counts inside of the library, and is refused with a reason outside", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const scan = libraryOf(sandbox, ["inside.md", "outside.md", "nowhere.md", "shared.md"]);
    mkdirSync(sandbox.path("library/shared"));
    mkdirSync(sandbox.path("elsewhere"));
    symlinkSync("shared", sandbox.path("library/inside"));
    symlinkSync(sandbox.path("elsewhere"), sandbox.path("library/outside"));
    symlinkSync(sandbox.path("gone"), sandbox.path("library/nowhere"));
    const scanned = await scan();
    const folders = Object.fromEntries(scanned.files.map((file) => [file.filePath, file.resourceDir]));
    expect(folders).toMatchObject({ "inside.md": sandbox.path("library/shared") });
    expect([folders["outside.md"], folders["nowhere.md"]]).toEqual([undefined, undefined]);
    expect(scanned.diagnostics.map(({ code }) => code).sort()).toEqual(["broken-link", "outside-library"]);
  });
});

test("a file beside a folder of skills of its name is told that it hides them", async () => {
  const sandbox = createSandbox(DISK_FOLDER);
  const scan = libraryOf(sandbox, ["ui.md", "ui/_index.md", "ui/login.md"]);
  const scanned = await scan();
  expect(pathsIn(scanned)).toEqual(["ui"]);
  expect(scanned.diagnostics).toMatchObject([
    { code: "hidden-skills", file: sandbox.path("library/ui/_index.md") },
  ]);
});

describe("ui.md beside ui/", () => {
  test("makes ui/react.md vanish, which is said with the file and the way out until it is repaired", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const scan = libraryOf(sandbox, ["ui.md", "ui/react.md"]);
    const scanned = await scan();
    expect(pathsIn(scanned)).toEqual(["ui"]);
    const diagnostic = {
      severity: "warning",
      code: "hidden-skills",
      file: sandbox.path("library/ui/react.md"),
      message:
        "ui.md lies beside ui/, which makes that the folder of its assets and scripts, so this file is not served as a skill. Move ui.md to ui/_index.md, or rename it.",
    };
    expect(scanned.diagnostics).toEqual([diagnostic]);
    sandbox.write("library/ui/forms/login.md", TEXT);
    const [two] = (await scan()).diagnostics;
    expect(two?.message).toContain("so this file and 1 more in it are not served as skills.");
    renameSync(sandbox.path("library/ui.md"), sandbox.path("library/ui/_index.md"));
    const repaired = await scan();
    expect(repaired.diagnostics).toEqual([]);
    expect(pathsIn(repaired)).toEqual(["ui/_index", "ui/forms/login", "ui/react"]);
  });

  test.each([
    ["a file that the skill declares", "ui/react.md"],
    ["an asset", "ui/assets/react.md"],
    ["Markdown that is no skill", "ui/NOTES.md"],
    ["a hidden file", "ui/.draft.md"],
  ])("says nothing of %s", async (what, file) => {
    const sandbox = createSandbox(DISK_FOLDER);
    const scan = libraryOf(sandbox, ["ui.md"]);
    sandbox.write(`library/${file}`, what.startsWith("Markdown") ? "# Notes\n" : TEXT);
    const assets = "assets: [{file: react.md, description: A page}]\n";
    sandbox.write("library/ui.md", TEXT.replace("---\n", `---\n${assets}`));
    expect((await scan()).diagnostics).toEqual([]);
  });
});

describe("bad input", () => {
  test("a file that is no skill is skipped with its reason, and the others stay", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const scan = libraryOf(sandbox, ["good.md"]);
    sandbox.write("library/README.md", "# Just text\n");
    sandbox.write("library/no-keywords.md", "---\ndescription: x\n---\n");
    sandbox.write("library/latin1.md", Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xe9, 0xff]));
    const scanned = await scan();
    expect(pathsIn(scanned)).toEqual(["good"]);
    expect(scanned.diagnostics.map(({ file, code }) => [file, code])).toEqual([
      [sandbox.path("library/README.md"), "no-front-matter"],
      [sandbox.path("library/latin1.md"), "not-utf8"],
      [sandbox.path("library/no-keywords.md"), "missing-keywords"],
    ]);
  });

  test("a FIFO called .md is never opened, and a folder called .md is only a folder", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const scan = libraryOf(sandbox, ["good.md", "folder.md/inner.md"]);
    spawnSync("mkfifo", [sandbox.path("library/pipe.md")]);
    const scanned = await scan();
    expect(pathsIn(scanned)).toEqual(["folder.md/inner", "good"]);
    expect(scanned.diagnostics).toMatchObject([
      { code: "not-a-file", file: sandbox.path("library/pipe.md") },
    ]);
  });

  test("linked folders that form a cycle end", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const scan = libraryOf(sandbox, ["a/one.md", "b/two.md"]);
    symlinkSync("..", sandbox.path("library/a/up"));
    symlinkSync("../b", sandbox.path("library/a/b"));
    symlinkSync("../a", sandbox.path("library/b/a"));
    expect(pathsIn(await scan())).toEqual(["a/one", "b/two"]);
  });

  test("skills behind a linked folder are found, but files outside of the library are not theirs", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const scan = libraryOf(sandbox, ["own.md"]);
    sandbox.write("team/shared.md", TEXT);
    sandbox.write("team/shared/assets/x.txt", "x");
    symlinkSync(sandbox.path("team"), sandbox.path("library/team"));
    const scanned = await scan();
    expect(pathsIn(scanned)).toEqual(["own", "team/shared"]);
    expect(scanned.files.map((file) => file.resourceDir)).toEqual([undefined, undefined]);
    expect(scanned.diagnostics).toMatchObject([{ code: "outside-library" }]);
  });
});

describe("a second scan", () => {
  test("gives the very same values for what did not change", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const scan = libraryOf(sandbox, ["a.md", "b.md"]);
    const first = await scan();
    sandbox.write("library/b.md", TEXT.replace("[word]", "[other]"));
    const second = await scan();
    expect(second.files[0]).toBe(first.files[0]);
    expect(second.files[1]?.keywords).toEqual(["other"]);
  });

  test("sees a resource folder that came and a file that was renamed", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const scan = libraryOf(sandbox, ["a.md"]);
    await scan();
    mkdirSync(sandbox.path("library/a"));
    expect((await scan()).files[0]?.resourceDir).toBe(sandbox.path("library/a"));
    renameSync(sandbox.path("library/a.md"), sandbox.path("library/b.md"));
    expect(pathsIn(await scan())).toEqual(["b"]);
  });
});
