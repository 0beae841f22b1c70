import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createSandbox, DISK_FOLDER, type Sandbox, skillText } from "../../../../test/support/sandbox.ts";
import { SKILL_FOLDERS } from "../../src/scan/listing.ts";
import { traverseRoot } from "../../src/scan/traverse.ts";

/** What a traversal of `<sandbox>/root` finds, as paths below it. */
async function traverse(sandbox: Sandbox) {
  const root = sandbox.path("root");
  const { files, folders, diagnostics } = await traverseRoot(root, SKILL_FOLDERS);
  return {
    files: files.map((file) => path.relative(root, path.join(file.dir, file.fileName))),
    folders: [...folders].map((folder) => path.relative(root, folder)).sort(),
    problems: diagnostics.map(({ code, file }) => `${code} ${path.relative(root, file)}`),
    diagnostics,
  };
}

/** A link below the sandbox; the folders on the way to it are made. */
function link(sandbox: Sandbox, file: string, target: string): void {
  mkdirSync(path.dirname(sandbox.path(file)), { recursive: true });
  symlinkSync(target, sandbox.path(file));
}

describe("which folders are entered", () => {
  test("a skill is found at any depth, and in the root itself", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    const deep = Array.from({ length: 60 }, (_, index) => `d${index}`).join("/");
    sandbox.skill("root", { name: "top" });
    sandbox.skill("root/one");
    sandbox.skill(`root/${deep}`);
    expect((await traverse(sandbox)).files).toEqual(["SKILL.md", "one/SKILL.md", `${deep}/SKILL.md`]);
  });

  test("a skill inside a skill is found too", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("root/outer");
    sandbox.skill("root/outer/references/inner");
    expect((await traverse(sandbox)).files).toEqual(["outer/SKILL.md", "outer/references/inner/SKILL.md"]);
  });

  test("node_modules and .git are not entered, however much they hold (N11)", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("root/real");
    const text = skillText("vendored", "Came with a package.");
    for (let index = 0; index < 300; index++) {
      const folder = sandbox.path("root/real/node_modules", `package-${index}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, "SKILL.md"), text);
      writeFileSync(path.join(folder, "index.js"), "");
    }
    sandbox.write("root/node_modules/SKILL.md", text);
    sandbox.write("root/.git/SKILL.md", text);
    sandbox.write("root/.git/modules/x/SKILL.md", text);
    const { files, folders } = await traverse(sandbox);
    expect(files).toEqual(["real/SKILL.md"]);
    expect(folders).toEqual(["", "real"]);
  });

  test("a link called node_modules is not entered either", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("elsewhere/pkg");
    link(sandbox, "root/node_modules", sandbox.path("elsewhere"));
    expect(await traverse(sandbox)).toMatchObject({ files: [], problems: [] });
  });

  test("other hidden folders are entered", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("root/.system/imagegen");
    expect((await traverse(sandbox)).files).toEqual([".system/imagegen/SKILL.md"]);
  });

  test("each folder is announced before it is read, once", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("root/a/b");
    const announced: string[] = [];
    const { folders } = await traverseRoot(sandbox.path("root"), SKILL_FOLDERS, (folder) =>
      announced.push(folder),
    );
    expect(announced.sort()).toEqual([...folders].sort());
  });
});

describe("links", () => {
  test("a linked folder is listed once, under the path of the link (N7)", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("shared/foo");
    link(sandbox, "root/foo", "../shared/foo");
    const { files, diagnostics } = await traverseRoot(sandbox.path("root"), SKILL_FOLDERS);
    expect(files).toEqual([
      {
        dir: sandbox.path("root/foo"),
        realDir: sandbox.path("shared/foo"),
        fileName: "SKILL.md",
        isLink: false,
        depth: 1,
        isListed: true,
      },
    ]);
    expect(diagnostics).toEqual([]);
  });

  test("a root that is itself a link shows the path it was given", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("real/foo");
    link(sandbox, "root", "real");
    const { files, folders } = await traverseRoot(sandbox.path("root"), SKILL_FOLDERS);
    expect(files).toMatchObject([{ dir: sandbox.path("root/foo"), realDir: sandbox.path("real/foo") }]);
    expect([...folders].sort()).toEqual([sandbox.path("real"), sandbox.path("real/foo")]);
  });

  test("a folder below a linked folder keeps both of its paths", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("shared/group/foo");
    link(sandbox, "root/linked", sandbox.path("shared"));
    const { files } = await traverseRoot(sandbox.path("root"), SKILL_FOLDERS);
    expect(files).toMatchObject([
      { dir: sandbox.path("root/linked/group/foo"), realDir: sandbox.path("shared/group/foo"), depth: 3 },
    ]);
  });

  test("two links to one folder are one, the first by path", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("shared/foo");
    link(sandbox, "root/second", sandbox.path("shared/foo"));
    link(sandbox, "root/first", sandbox.path("shared/foo"));
    expect((await traverse(sandbox)).files).toEqual(["first/SKILL.md"]);
  });

  test("a folder that is also linked goes by its own path, even if the link comes first", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("root/z/deep/foo");
    link(sandbox, "root/a", sandbox.path("root/z/deep/foo"));
    expect((await traverse(sandbox)).files).toEqual(["z/deep/foo/SKILL.md"]);
  });

  test("a link inside a linked folder is followed", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("third/foo");
    link(sandbox, "second/on", sandbox.path("third"));
    link(sandbox, "root/first", sandbox.path("second"));
    expect((await traverse(sandbox)).files).toEqual(["first/on/foo/SKILL.md"]);
  });

  test.each([
    ["to its own folder", "root/a/loop", "."],
    ["to its parent", "root/a/loop", ".."],
    ["to the folder above the root", "root/a/loop", "../.."],
    ["to the top of the file system", "root/a/loop", "/"],
  ])("a link %s is not entered", async (_case, file, target) => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("root/a");
    sandbox.skill("outside");
    link(sandbox, file, target);
    expect(await traverse(sandbox)).toMatchObject({
      files: ["a/SKILL.md"],
      folders: ["", "a"],
      problems: [],
    });
  });

  test("a link to itself ends with a warning", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("root/a");
    link(sandbox, "root/self", "self");
    const { files, diagnostics } = await traverse(sandbox);
    expect(files).toEqual(["a/SKILL.md"]);
    expect(diagnostics).toMatchObject([
      { severity: "warning", code: "broken-link", file: sandbox.path("root/self") },
    ]);
    expect(diagnostics[0]?.message).toMatch(/form a loop/);
  });

  test("two folders that link to each other end", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("root/a");
    sandbox.skill("root/b");
    link(sandbox, "root/a/to-b", "../b");
    link(sandbox, "root/b/to-a", "../a");
    expect(await traverse(sandbox)).toMatchObject({ files: ["a/SKILL.md", "b/SKILL.md"], problems: [] });
  });

  test("a loop outside the root ends, and so does one back into it", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("x/one");
    sandbox.skill("y/two");
    link(sandbox, "x/to-y", sandbox.path("y"));
    link(sandbox, "y/to-x", sandbox.path("x"));
    link(sandbox, "y/to-root", sandbox.path("root"));
    link(sandbox, "root/in", sandbox.path("x"));
    expect((await traverse(sandbox)).files).toEqual(["in/one/SKILL.md", "in/to-y/two/SKILL.md"]);
  });

  test("a link that leads nowhere is a warning; beside a skill file it is the author's business", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("root/a");
    link(sandbox, "root/gone", "/nowhere/at/all");
    link(sandbox, "root/a/resource", "missing.txt");
    expect((await traverse(sandbox)).problems).toEqual(["broken-link gone"]);
  });

  test("a link to a file or to a FIFO is neither a folder nor a problem", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("root/a");
    sandbox.write("notes.txt", "");
    makeFifo(sandbox.path("pipe"));
    link(sandbox, "root/notes", sandbox.path("notes.txt"));
    link(sandbox, "root/pipe", sandbox.path("pipe"));
    expect(await traverse(sandbox)).toMatchObject({ files: ["a/SKILL.md"], problems: [] });
  });
});

describe("which files are skill files", () => {
  test.each([
    ["SKILL.md", true],
    ["skill.md", true],
    ["Skill.MD", true],
    [".SKILL.md", true],
    [".skill.md", true],
    ["SKILL.markdown", false],
    ["SKILL.md.bak", false],
    ["SKILL.md~", false],
    ["xSKILL.md", false],
    ["..SKILL.md", false],
    ["SKILLS.md", false],
    ["README.md", false],
  ])("%s: %s", async (fileName, isSkill) => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.write(`root/a/${fileName}`, skillText("a", "A skill."));
    expect((await traverse(sandbox)).files).toEqual(isSkill ? [`a/${fileName}`] : []);
  });

  test("a linked skill file is told from a plain one", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.write("shared/doc.md", skillText("a", "A skill."));
    link(sandbox, "root/a/SKILL.md", sandbox.path("shared/doc.md"));
    const { files } = await traverseRoot(sandbox.path("root"), SKILL_FOLDERS);
    expect(files).toMatchObject([{ dir: sandbox.path("root/a"), isLink: true }]);
  });

  test("a folder called SKILL.md is reported, and what it holds is found", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("root/a/SKILL.md", { name: "inside" });
    const { files, diagnostics } = await traverse(sandbox);
    expect(files).toEqual(["a/SKILL.md/SKILL.md"]);
    expect(diagnostics).toMatchObject([
      { severity: "error", code: "not-a-file", file: sandbox.path("root/a/SKILL.md") },
    ]);
    expect(diagnostics[0]?.message).toMatch(/a folder/);
  });

  test("a FIFO called SKILL.md is reported and never opened", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    sandbox.skill("root/b");
    mkdirSync(sandbox.path("root/a"));
    makeFifo(sandbox.path("root/a/SKILL.md"));
    const { files, diagnostics } = await traverse(sandbox);
    expect(files).toEqual(["b/SKILL.md"]);
    expect(diagnostics).toMatchObject([{ code: "not-a-file", file: sandbox.path("root/a/SKILL.md") }]);
    expect(diagnostics[0]?.message).toMatch(/a FIFO/);
  });

  test("a socket called SKILL.md is reported and never opened", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    mkdirSync(sandbox.path("root/a"), { recursive: true });
    let connections = 0;
    const server = createServer(() => void connections++);
    await new Promise<void>((resolve) => server.listen(sandbox.path("root/a/SKILL.md"), resolve));
    onTestFinished(() => void server.close());
    const { files, diagnostics } = await traverse(sandbox);
    expect(files).toEqual([]);
    expect(diagnostics).toMatchObject([{ code: "not-a-file" }]);
    expect(diagnostics[0]?.message).toMatch(/a socket/);
    expect(connections).toBe(0);
  });
});

describe("order", () => {
  const FOLDERS = ["b", "a", "c/x", "c", "a/z", "B", "é", "10", "9"];

  function plant(folders: readonly string[]): Sandbox {
    const sandbox = createSandbox(DISK_FOLDER);
    for (const folder of folders) sandbox.skill(`root/${folder}`);
    sandbox.skill("shared/linked");
    for (const name of ["l2", "l1"]) link(sandbox, `root/${name}`, sandbox.path("shared"));
    return sandbox;
  }

  test("nearer folders come first, then by path, whatever order they were made in", async () => {
    const forwards = await traverse(plant(FOLDERS));
    const backwards = await traverse(plant(FOLDERS.toReversed()));
    expect(forwards.files).toEqual(
      ["10", "9", "B", "a", "b", "c", "é", "a/z", "c/x", "l1/linked"].map((folder) => `${folder}/SKILL.md`),
    );
    expect(backwards.files).toEqual(forwards.files);
  });

  test("what is wrong is reported in the same order every time", async () => {
    const sandbox = createSandbox(DISK_FOLDER);
    for (let index = 0; index < 40; index++) {
      mkdirSync(sandbox.path(`root/folder-${index}/SKILL.md`), { recursive: true });
      link(sandbox, `root/folder-${index}/sub/gone`, "nowhere");
    }
    const { problems } = await traverse(sandbox);
    expect(problems).toHaveLength(80);
    for (let round = 0; round < 10; round++) expect((await traverse(sandbox)).problems).toEqual(problems);
  });
});

function makeFifo(file: string): void {
  expect(spawnSync("mkfifo", [file]).status).toBe(0);
}
