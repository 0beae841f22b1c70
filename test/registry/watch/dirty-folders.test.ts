import { expect, test } from "vitest";
import { createTouchedFolders } from "../../../src/registry/watch/dirty-folders.ts";

test("what was reported is told folder by folder, and once", () => {
  const touched = createTouchedFolders();
  touched.add({ folder: "/a", name: "x" });
  touched.add({ folder: "/a", name: "y" });
  touched.add({ folder: "/b", name: "x" });
  expect(touched.take()).toEqual(
    new Map([
      ["/a", new Set(["x", "y"])],
      ["/b", new Set(["x"])],
    ]),
  );
  expect(touched.take()).toEqual(new Map());
});

test("a folder in which anything may have changed stays so, whatever else is reported of it", () => {
  const touched = createTouchedFolders();
  touched.add({ folder: "/a", name: "x" });
  touched.add({ folder: "/a", name: undefined });
  touched.add({ folder: "/a", name: "y" });
  expect(touched.take()).toEqual(new Map([["/a", undefined]]));
});

test("a change without a place may be anywhere", () => {
  const touched = createTouchedFolders();
  touched.add({ folder: "/a", name: "x" });
  touched.add(undefined);
  expect(touched.take()).toBeUndefined();
  expect(touched.take()).toEqual(new Map());
});

test("so many reports that the system may have dropped some may be anywhere too", () => {
  const touched = createTouchedFolders();
  for (let report = 0; report < 4_000; report++) touched.add({ folder: "/a", name: "x" });
  expect(touched.take()).toEqual(new Map([["/a", new Set(["x"])]]));
  for (let report = 0; report < 4_001; report++) touched.add({ folder: "/a", name: "x" });
  expect(touched.take()).toBeUndefined();
});
