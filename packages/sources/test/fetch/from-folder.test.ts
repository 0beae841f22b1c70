import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readlinkSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { buildZip } from "../../../../test/support/hostile-archives.ts";
import { startWebServer } from "../../../../test/support/web-server.ts";
import { mayFollow } from "../../src/fetch/web-client.ts";
import { createMachine, filesIn, refusalOf, SKILL } from "./fetching.ts";

function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), content);
  }
}

const isUnix = process.platform !== "win32";

test("a folder is copied without git's folder and installed packages, and shares no file with the copy", async () => {
  const machine = createMachine();
  write(machine.cwd, {
    "mine/pdf/SKILL.md": SKILL,
    "mine/pdf/empty/.keep": "",
    "mine/.git/config": "x",
    "mine/node_modules/a/SKILL.md": SKILL,
  });
  const { folder, commit, listed } = await machine.fetch("./mine");
  expect(filesIn(folder)).toEqual({ "pdf/SKILL.md": SKILL, "pdf/empty/.keep": "" });
  expect({ commit, listed }).toEqual({ commit: undefined, listed: undefined });
  expect(statSync(path.join(folder, "pdf/SKILL.md")).ino).not.toBe(
    statSync(path.join(machine.cwd, "mine/pdf/SKILL.md")).ino,
  );
  write(machine.home, { "skills/web/SKILL.md": SKILL });
  expect(filesIn((await machine.fetch("~/skills")).folder)).toEqual({ "web/SKILL.md": SKILL });
});

test.runIf(isUnix)(
  "links stay links inside the folder, and are left out where they lead out of it",
  async () => {
    const machine = createMachine();
    write(machine.cwd, { "mine/a/SKILL.md": SKILL, "mine/.git/config": "x", "secret.md": "secret" });
    const mine = path.join(machine.cwd, "mine");
    symlinkSync("../a", path.join(mine, "a", "again"));
    symlinkSync("a", path.join(mine, "b"));
    symlinkSync(path.join(mine, "a", "SKILL.md"), path.join(mine, "absolute.md"));
    symlinkSync("../secret.md", path.join(mine, "out.md"));
    symlinkSync("nowhere", path.join(mine, "broken"));
    symlinkSync("loop", path.join(mine, "loop"));
    symlinkSync(".git", path.join(mine, "git"));
    const { folder } = await machine.fetch("./mine");
    expect(readlinkSync(path.join(folder, "absolute.md"))).toBe(path.join("a", "SKILL.md"));
    expect(readlinkSync(path.join(folder, "b"))).toBe("a");
    expect(machine.logged.map((line) => path.basename(line.split(" ")[0] ?? "")).toSorted()).toEqual([
      "again",
      "broken",
      "git",
      "loop",
      "out.md",
    ]);
  },
);

test.runIf(isUnix)(
  "of a file's mode only the owner's bit to run it is kept, and a FIFO is refused",
  async () => {
    const machine = createMachine();
    write(machine.cwd, { "mine/run.sh": "echo", "mine/a.md": "a" });
    chmodSync(path.join(machine.cwd, "mine/run.sh"), 0o4750);
    chmodSync(path.join(machine.cwd, "mine/a.md"), 0o400);
    const { folder } = await machine.fetch("./mine");
    expect(statSync(path.join(folder, "run.sh")).mode & 0o7777).toBe(0o755);
    expect(statSync(path.join(folder, "a.md")).mode & 0o7777).toBe(0o644);
    execFileSync("mkfifo", [path.join(machine.cwd, "mine/pipe")]);
    expect(await refusalOf(machine.fetch("./mine"))).toMatchObject({ reason: "unsafe" });
  },
);

test("a folder that is missing, a file, or where skills are installed to is refused", async () => {
  const machine = createMachine();
  write(machine.cwd, { "file.md": "x", ".agents/skills/pdf/SKILL.md": SKILL });
  expect((await refusalOf(machine.fetch("./none"))).message).toMatch(
    /none could not be read: it does not exist\.$/,
  );
  expect((await refusalOf(machine.fetch("./file.md"))).message).toMatch(/is not a folder; name a folder/);
  expect((await refusalOf(machine.fetch("./.agents/skills/pdf"))).message).toMatch(/there already/);
});

test("a folder that holds the staging folder is copied without it", async () => {
  const machine = createMachine();
  write(machine.cwd, { "pdf/SKILL.md": SKILL });
  const stagingFolder = path.join(machine.cwd, ".agents", "staging");
  const { folder } = await machine.fetch(".", { stagingFolder });
  expect(filesIn(folder)).toEqual({ "pdf/SKILL.md": SKILL });
});

test("a local archive and one of the web are unpacked, and a redirect to another host is not followed", async () => {
  const machine = createMachine();
  const zip = buildZip([{ name: "pdf/SKILL.md", content: SKILL }]);
  mkdirSync(machine.cwd);
  writeFileSync(path.join(machine.cwd, "pdf.skill"), zip);
  const other = await startWebServer();
  const site = await startWebServer({
    "/pdf.zip?a=b": zip,
    "/moved.zip": { redirect: `${other.origin}/pdf.zip` },
  });
  for (const place of ["./pdf.skill", `${site.origin}/pdf.zip?a=b`])
    expect(filesIn((await machine.fetch(place)).folder)).toEqual({ "pdf/SKILL.md": SKILL });
  expect(await refusalOf(machine.fetch(`${site.origin}/moved.zip`))).toMatchObject({
    reason: "other-origin",
  });
  expect(other.requests).toEqual([]);
  expect((await refusalOf(machine.fetch(`${site.origin}/none.zip?token=x`))).message).toBe(
    `The archive could not be fetched from ${site.origin}/none.zip: it was not found (404); check the address.`,
  );
});

test.each([
  ["https://a.dev/x", "https://a.dev/y", true],
  ["https://a.dev/x", "http://a.dev/x", false],
  ["https://a.dev/x", "https://a.dev:8443/x", false],
  ["https://a.dev/x", "https://b.a.dev/x", false],
  ["https://github.com/o/r/archive/main.zip", "https://codeload.github.com/o/r/zip/main", true],
  ["https://github.com/o/r/releases/x.skill", "https://release-assets.githubusercontent.com/x?sig=1", true],
  ["https://github.com/o/r/releases/x.skill", "http://codeload.github.com/x", false],
  ["https://github.com/o/r/releases/x.skill", "https://githubusercontent.com.evil.dev/x", false],
  ["https://a.dev/x", "https://codeload.github.com/o/r/zip/main", false],
])("a redirect from %s to %s is followed: %s", (named, to, expected) => {
  expect(mayFollow(new URL(named), new URL(to))).toBe(expected);
});

test("an archive that is missing or a folder is refused", async () => {
  const machine = createMachine();
  mkdirSync(path.join(machine.cwd, "folder.zip"), { recursive: true });
  expect((await refusalOf(machine.fetch("./none.zip"))).message).toMatch(
    /none\.zip could not be read: it does not exist\.$/,
  );
  expect(await refusalOf(machine.fetch("./folder.zip"))).toMatchObject({
    reason: expect.any(String) as string,
  });
});
