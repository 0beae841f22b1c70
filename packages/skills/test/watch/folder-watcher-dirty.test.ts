import { expect, test } from "vitest";
import { createDirtyFolders } from "../../src/watch/folder-watcher.ts";

test("reported changes are taken folder by folder, and once", () => {
  const dirty = createDirtyFolders();
  dirty.add({ folder: "/a", name: "x" });
  dirty.add({ folder: "/a", name: "y" });
  dirty.add({ folder: "/b", name: "x" });
  expect(dirty.take()).toEqual(
    new Map([
      ["/a", new Set(["x", "y"])],
      ["/b", new Set(["x"])],
    ]),
  );
  expect(dirty.take()).toEqual(new Map());
});

test("a folder in which anything may have changed stays so, whatever else is reported of it", () => {
  const dirty = createDirtyFolders();
  dirty.add({ folder: "/a", name: "x" });
  dirty.add({ folder: "/a", name: undefined });
  dirty.add({ folder: "/a", name: "y" });
  expect(dirty.take()).toEqual(new Map([["/a", undefined]]));
});

test("a change without a place may be anywhere", () => {
  const dirty = createDirtyFolders();
  dirty.add({ folder: "/a", name: "x" });
  dirty.add(undefined);
  expect(dirty.take()).toBeUndefined();
  expect(dirty.take()).toEqual(new Map());
});

test("so many reports that the system may have dropped some may be anywhere too", () => {
  const dirty = createDirtyFolders();
  for (let report = 0; report < 4_000; report++) dirty.add({ folder: "/a", name: "x" });
  expect(dirty.take()).toEqual(new Map([["/a", new Set(["x"])]]));
  for (let report = 0; report < 4_001; report++) dirty.add({ folder: "/a", name: "x" });
  expect(dirty.take()).toBeUndefined();
});
