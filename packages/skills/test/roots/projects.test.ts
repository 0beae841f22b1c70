import { type Stats, symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { POOLED_DISK } from "#util";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { findProjects, homeNames, repositoriesOn } from "../../src/roots/roots.ts";

const find = (starts: readonly string[], repositories: readonly string[], homes = ["/home/me"]) =>
  findProjects({
    starts,
    homes,
    isRepository: (dir) => repositories.includes(dir),
  });

test.each<[string, string, readonly string[], readonly string[]]>([
  ["outside of a repository only the working directory", "/srv/a/b", [], ["/srv/a/b"]],
  ["the root of a repository alone", "/srv/a", ["/srv/a"], ["/srv/a"]],
  [
    "from a folder up to the root of the repository, nearest first",
    "/srv/a/b/c",
    ["/srv/a"],
    ["/srv/a/b/c", "/srv/a/b", "/srv/a"],
  ],
  ["the nearest repository of several", "/srv/a/b/c", ["/srv", "/srv/a/b"], ["/srv/a/b/c", "/srv/a/b"]],
  [
    "a repository in the home folder",
    "/home/me/shop/src",
    ["/home/me/shop"],
    ["/home/me/shop/src", "/home/me/shop"],
  ],
  ["not a home folder that is a repository", "/home/me/shop/src", ["/home/me"], ["/home/me/shop/src"]],
  ["not a folder above the home folder", "/home/me/shop", ["/home"], ["/home/me/shop"]],
  ["not the root of the file system, which is above the home folder", "/srv/a", ["/"], ["/srv/a"]],
  ["the home folder if it is the working directory", "/home/me", ["/home/me"], ["/home/me"]],
  ["only the home folder if it is the working directory", "/home/me", ["/home"], ["/home/me"]],
  ["a folder above the home folder if it is the working directory", "/home", ["/"], ["/home"]],
  ["the root of the file system", "/", [], ["/"]],
  [
    "a sibling with a name that begins like the home folder's",
    "/home/me2/a/b",
    ["/home/me2/a"],
    ["/home/me2/a/b", "/home/me2/a"],
  ],
])("project folders are %s", async (_case, start, repositories, folders) => {
  expect((await find([start], repositories)).folders).toEqual(folders);
});

test("workspaces come after the working directory, each with the folders above it, and no folder twice", async () => {
  const { folders } = await find(["/srv/a/b", "/srv/w/x", "/srv/a/c"], ["/srv/a", "/srv/w"]);
  expect(folders).toEqual(["/srv/a/b", "/srv/a", "/srv/w/x", "/srv/w", "/srv/a/c"]);
});

test("the places that a repository could begin at are named, and none beyond", async () => {
  expect((await find(["/srv/a/b"], ["/srv"])).markers).toEqual(["/srv/a/b/.git", "/srv/a/.git"]);
  expect((await find(["/home/me/a"], [])).markers).toEqual(["/home/me/a/.git"]);
});

test("a home folder is known by its real path too", async () => {
  const sandbox = createSandbox();
  symlinkSync(sandbox.home, sandbox.path("link"));
  expect(await homeNames([sandbox.path("link"), sandbox.path("gone")])).toEqual([
    sandbox.path("link"),
    sandbox.path("gone"),
    sandbox.home,
  ]);
});

test.each<[string, Record<string, number>, number, boolean]>([
  ["nobody's", {}, 1000, false],
  ["mine", { "/a/.git": 1000, "/a/b": 7 }, 1000, true],
  ["the administrator's", { "/a/.git": 0, "/a/b": 1000 }, 1000, true],
  ["of the owner of the working directory, as in a container", { "/a/.git": 1000, "/a/b": 1000 }, 0, true],
  ["of another user", { "/a/.git": 7, "/a/b": 1000 }, 1000, false],
])("a folder above with a .git that is %s", async (_case, owners, uid, expected) => {
  const stat = (file: string) => (file in owners ? ({ uid: owners[file] } as Stats) : undefined);
  const isRepository = repositoriesOn({ ...POOLED_DISK, stat }, uid);
  expect(await isRepository("/a", "/a/b")).toBe(expected);
});

test("the working directory itself is a repository whoever owns it, and one that cannot be examined is none", async () => {
  const stat = (file: string) => {
    if (file.startsWith("/locked")) throw new Error("EACCES");
    return { uid: 7 } as Stats;
  };
  const isRepository = repositoriesOn({ ...POOLED_DISK, stat }, 1000);
  expect(await isRepository("/a", "/a")).toBe(true);
  expect(await isRepository("/locked", "/locked/b")).toBe(false);
});
