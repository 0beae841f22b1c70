import { existsSync, mkdirSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createDirectDisk, type Disk, POOLED_DISK } from "#util";
import { createSandbox } from "../../../../test/support/sandbox.ts";
import { findPresentRoots, planRoots } from "../../src/roots/roots.ts";

const rootIn = (dir: string, named = false) => ({ dir, named });

test("no root that exists is left out, and what is left out is awaited where it would begin", async () => {
  const sandbox = createSandbox();
  const parts = fc.constantFrom(".a", ".B", ".b", "c", "d");
  const folder = fc.array(parts, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));
  let round = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(folder), fc.array(folder, { maxLength: 40 }), async (existing, wanted) => {
      const base = sandbox.path(`round-${round++}`);
      mkdirSync(base);
      for (const each of existing) mkdirSync(`${base}/${each}`, { recursive: true });
      const roots = wanted.map((each) => rootIn(`${base}/${each}`));
      for (const disk of [POOLED_DISK, createDirectDisk(() => 0)]) {
        const { present, awaited } = await findPresentRoots(roots, disk);
        expect(roots.filter(({ dir }) => existsSync(dir)).filter((root) => !present.includes(root))).toEqual(
          [],
        );
        expect(present.length + awaited.length).toBe(roots.length);
        expect(awaited.filter((place) => existsSync(place))).toEqual([]);
      }
    }),
    { numRuns: 60 },
  );
});

test("a missing root that someone named stays, because its scan reports it", async () => {
  const sandbox = createSandbox();
  const roots = Array.from({ length: 20 }, (_, index) => rootIn(sandbox.path(`.a${index}/skills`), true));
  expect((await findPresentRoots(roots, POOLED_DISK)).present).toEqual(roots);
});

test("the folders of every agent in five project folders and at home take few calls", async () => {
  const sandbox = createSandbox();
  const projects = ["a/b/c/d", "a/b/c", "a/b", "a", ""].map((below) => sandbox.path("project", below));
  mkdirSync(projects[0] as string, { recursive: true });
  mkdirSync(sandbox.path("project/a/.claude/skills"), { recursive: true });
  const cwd = projects[0] as string;
  const roots = planRoots({ cwd, projects, home: sandbox.home, skillDirs: [], defaultDirs: true });
  let calls = 0;
  const disk: Disk = {
    ...POOLED_DISK,
    names: (dir) => {
      calls++;
      return POOLED_DISK.names(dir);
    },
  };
  const { present } = await findPresentRoots(roots, disk);
  expect(roots.length).toBeGreaterThan(300);
  // Each that may exist costs a call of its own.
  expect(calls + present.length).toBeLessThan(40);
});
