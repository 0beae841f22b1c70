import { expect, test } from "vitest";
import { type OpenViewOptions, resolvePlaces, viewKey } from "../../src/view/skill-options.ts";

const BASE: OpenViewOptions = { cwd: "/shop", userDir: "/home/ann" };
const keyOf = (options: OpenViewOptions, profiles?: readonly string[]) =>
  viewKey(options, resolvePlaces(options), profiles);

test("viewKey: is another one for each option that decides which skills are served", () => {
  const keys = [
    keyOf(BASE),
    ...[
      { cwd: "/other" },
      { userDir: "/home/bob" },
      { library: "/library" },
      { folders: { first: ["/a"] } },
      { folders: { last: ["/a"] } },
      { folders: { defaults: false } },
      { folders: { moved: { ".claude": "/a" } } },
      { folders: { system: "/a" } },
      { plugins: { skip: true } },
      { plugins: { file: "/a" } },
      { plugins: { root: "/a" } },
      { reading: { strict: true } },
      { reading: { lenient: true } },
      { filter: { include: ["a"] } },
      { filter: { narrowTo: ["a"] } },
      { filter: { exclude: ["a"] } },
    ].map((more) => keyOf({ ...BASE, ...more })),
    keyOf(BASE, ["team"]),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

test("viewKey: does not depend on when skills are refreshed", () => {
  expect(keyOf({ ...BASE, watch: true, autoRefresh: true, refreshIntervalMs: 5 })).toBe(keyOf(BASE));
});
