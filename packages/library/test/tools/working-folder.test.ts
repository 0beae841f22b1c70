import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox, DISK_FOLDER } from "../../../../test/support/sandbox.ts";
import { resolveWorkingFolder, type WorkingFolders } from "../../src/tools/working-folder.ts";

describe("S9: without cwd a script works", () => {
  const resolve = async (change: (folders: WorkingFolders, root: string) => Partial<WorkingFolders>) => {
    const { project, home, path: at } = createSandbox(DISK_FOLDER);
    const own = at("library");
    mkdirSync(own);
    const usual: WorkingFolders = { project, home, projectAllowed: true, listed: [] };
    const { folder, writable } = await resolveWorkingFolder(undefined, own, {
      ...usual,
      ...change(usual, at()),
    });
    return [path.relative(at(), folder), writable];
  };
  const OWN = ["library", false];
  const PROJECT = ["project", true];

  test("in the server's folder on stdio, and may write there", async () => {
    expect(await resolve(() => ({}))).toEqual(PROJECT);
    expect(await resolve(() => ({ listed: ["/srv"] }))).toEqual(PROJECT);
  });

  test("in its own folder for remote callers, unless the operator lists the server's", async () => {
    expect(await resolve(() => ({ projectAllowed: false }))).toEqual(OWN);
    expect(await resolve(({ project }) => ({ projectAllowed: false, listed: [project] }))).toEqual(PROJECT);
    expect(await resolve((_usual, root) => ({ projectAllowed: false, listed: [root] }))).toEqual(PROJECT);
  });

  test.each(["/", "/etc", "/proc/self"])(
    "in its own folder when the server was started in %s",
    async (project) => {
      expect(await resolve(() => ({ project }))).toEqual(OWN);
    },
  );

  test("in its own folder when the server was started in the home folder, above it, or behind a link to it", async () => {
    expect(await resolve(({ home }) => ({ project: home }))).toEqual(OWN);
    expect(await resolve((_usual, root) => ({ project: root }))).toEqual(OWN);
    expect(
      await resolve(({ home }, root) => {
        symlinkSync(home, path.join(root, "link"));
        return { project: path.join(root, "link") };
      }),
    ).toEqual(OWN);
  });
});

describe("run_script: refuses a working folder", () => {
  const folders = [
    ".git/hooks",
    ".claude",
    ".github/workflows",
    ".vscode",
    "packages/b/.git/hooks",
    ".GIT/hooks",
    "src",
  ];
  const createProject = () => {
    const { project, home, path: at } = createSandbox(DISK_FOLDER);
    for (const folder of folders) mkdirSync(path.join(project, folder), { recursive: true });
    symlinkSync("../.git/hooks", path.join(project, "src/link"));
    mkdirSync(at("library"));
    const own = at("library");
    return { project, home, own };
  };
  const refused = expect.objectContaining({ detail: { code: "library", reason: "bad-folder" } });
  const trusted =
    /Scripts may not work in ".+": \.\w+ is a folder that other programs trust\. Name a folder/i;

  test.each([
    ["inside .git", ".git/hooks"],
    ["that is .git", ".git"],
    ["that is .claude", ".claude"],
    ["inside .github", ".github/workflows"],
    ["that is .vscode", ".vscode"],
    ["inside the .git of a nested repository", "packages/b/.git/hooks"],
    ["inside .git, named through ..", "src/../.git/hooks"],
    ["inside .git, behind a link", "src/link"],
    ["inside .git in other letters", ".GIT/hooks"],
  ])("%s", async (_what, given) => {
    const { project, home, own } = createProject();
    for (const projectAllowed of [true, false]) {
      const allowed = { project, home, projectAllowed, listed: projectAllowed ? [] : [project] };
      for (const cwd of [given, path.join(project, given)]) {
        const answer = resolveWorkingFolder(cwd, own, allowed);
        await expect(answer).rejects.toEqual(refused);
        await expect(answer).rejects.toThrow(trusted);
      }
    }
  });

  test("that is its default and lies inside .git", async () => {
    const { project, home, own } = createProject();
    const inside = path.join(project, ".git/hooks");
    const started = { project: inside, home, projectAllowed: true, listed: [] };
    await expect(resolveWorkingFolder(undefined, own, started)).rejects.toThrow(trusted);
    const overHttp = { project: inside, home, projectAllowed: false, listed: [project] };
    await expect(resolveWorkingFolder("", own, overHttp)).rejects.toThrow(trusted);
  });

  test("but not a checkout in an agent's folder that the server was started in, nor one that is listed", async () => {
    const { project, home, own } = createProject();
    const checkout = path.join(project, ".claude/worktrees/a");
    mkdirSync(path.join(checkout, "src"), { recursive: true });
    writeFileSync(path.join(checkout, ".git"), "gitdir: elsewhere");
    const started = { project: checkout, home, projectAllowed: true, listed: [] };
    const src = path.join(checkout, "src");
    expect(await resolveWorkingFolder("src", own, started)).toEqual({ folder: src, writable: true });
    expect(await resolveWorkingFolder("", own, started)).toEqual({ folder: checkout, writable: true });
    const listed = { project, home, projectAllowed: false, listed: [project, src] };
    expect(await resolveWorkingFolder(src, own, listed)).toEqual({ folder: src, writable: true });
  });
});
