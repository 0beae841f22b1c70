import { mkdirSync, symlinkSync } from "node:fs";
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
