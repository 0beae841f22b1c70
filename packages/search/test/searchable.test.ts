import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { planRoots } from "#skills";
import { createSandbox, type Sandbox } from "../../../test/support/sandbox.ts";
import { createRegistry, type Registry } from "../../skills/src/registry/registry.ts";
import { createScanner } from "../../skills/src/scan/scan.ts";
import { searchIndex } from "../src/engine/rank/rank-skills.ts";
import { createCurrentIndex } from "../src/search-engine.ts";
import { searchableSnapshot } from "../src/searchable.ts";

const SKILLS = "project/.agents/skills";

function openRegistry(sandbox: Sandbox): Registry {
  const { home, project: cwd } = sandbox;
  const roots = planRoots({ cwd, home, skillDirs: [], defaultDirs: true });
  return createRegistry({
    scan: createScanner({ roots, strict: false, now: Date.now }),
    filter: { include: [], exclude: [] },
    watch: false,
    intervalMs: undefined,
    onRefresh: () => {},
    onFailure: () => {},
    onWatchLimit: () => {},
  });
}

/** Finds the folders of the skills that match, as the disk is now. */
function createFinder(sandbox: Sandbox): (query: string) => Promise<readonly string[]> {
  const registry = openRegistry(sandbox);
  const current = createCurrentIndex({ cache: undefined });
  return async (query) => {
    const index = await current.of(searchableSnapshot(await registry.refresh("request")));
    return searchIndex(index, query, { limit: 5 }).results.map(({ id }) => path.basename(id));
  };
}

describe("the skills that are searched", () => {
  test("follow the disk", async () => {
    const sandbox = createSandbox();
    const find = createFinder(sandbox);
    sandbox.skill(`${SKILLS}/alpha`, { body: "All about zebras." });
    sandbox.skill(`${SKILLS}/beta`, { body: "All about giraffes." });
    expect(await find("zebras")).toEqual(["alpha"]);
    sandbox.skill(`${SKILLS}/beta`, { body: "All about okapis." });
    expect(await find("okapis")).toEqual(["beta"]);
    expect(await find("giraffes")).toEqual([]);
    rmSync(sandbox.path(SKILLS, "alpha"), { recursive: true });
    expect(await find("zebras")).toEqual([]);
  });

  test("are found by the prompts of evals beside them", async () => {
    const sandbox = createSandbox();
    sandbox.skill(`${SKILLS}/alpha`);
    sandbox.write(
      `${SKILLS}/alpha/evals/evals.json`,
      JSON.stringify({ evals: [{ prompt: "tame a platypus" }] }),
    );
    sandbox.write(`${SKILLS}/alpha/evals/broken.json`, "{");
    sandbox.skill(`${SKILLS}/beta`);
    expect(await createFinder(sandbox)("platypus")).toEqual(["alpha"]);
  });

  test("S14: evals behind a link are not indexed: a folder, a file, or the folder of another skill", async () => {
    const sandbox = createSandbox();
    const prompts = JSON.stringify({ evals: [{ prompt: "tame a platypus" }] });
    sandbox.write("home/private/evals.json", prompts);
    for (const name of ["alpha", "beta", "gamma"]) sandbox.skill(`${SKILLS}/${name}`);
    symlinkSync(sandbox.path("home/private"), sandbox.path(SKILLS, "alpha/evals"));
    mkdirSync(sandbox.path(SKILLS, "beta/evals"));
    symlinkSync(sandbox.path("home/private/evals.json"), sandbox.path(SKILLS, "beta/evals/evals.json"));
    sandbox.write(`${SKILLS}/gamma/other/evals.json`, prompts);
    symlinkSync("other", sandbox.path(SKILLS, "gamma/evals"));
    expect(await createFinder(sandbox)("platypus")).toEqual([]);
  });

  test("keep their fingerprints and their identity within one snapshot", async () => {
    const sandbox = createSandbox();
    sandbox.skill(`${SKILLS}/alpha`);
    const snapshot = await openRegistry(sandbox).refresh("request");
    const skills = searchableSnapshot(snapshot);
    expect(searchableSnapshot(snapshot)).toBe(skills);
    const [[id, fingerprint] = ["", ""]] = skills.fingerprints;
    expect(path.basename(id)).toBe("alpha");
    expect(fingerprint).not.toBe("");
    expect(skills.find(id)).toMatchObject({ kind: "skill", entry: { listedAs: "alpha" } });
    expect(skills.idsNamed(" ALPHA ")).toEqual(new Set([id]));
    expect(skills.idsNamed("alpha".repeat(100))).toEqual(new Set());
  });
});
