import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { withoutDisabled } from "#skills";
import { createSandbox, type Sandbox } from "../../../test/support/sandbox.ts";
import { searchIndex } from "../src/engine/rank/rank-skills.ts";
import { createCurrentIndex } from "../src/search-engine.ts";
import { searchSkills } from "../src/search-skills.ts";
import { searchableSnapshot } from "../src/searchable.ts";
import { openSkills } from "./open-skills.ts";

const SKILLS = "project/.agents/skills";

const skillsOf = ({ home, project: cwd }: Sandbox) => openSkills({ cwd, userDir: home });

/** Finds the folders of the skills that match, as the disk is now. */
function createFinder(sandbox: Sandbox): (query: string) => Promise<readonly string[]> {
  const registry = skillsOf(sandbox);
  const current = createCurrentIndex({ cache: undefined });
  return async (query) => {
    const index = await current.of(searchableSnapshot(await registry.refresh("request")).indexed);
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
    const snapshot = await skillsOf(sandbox).refresh("request");
    const skills = searchableSnapshot(snapshot);
    expect(searchableSnapshot(snapshot)).toBe(skills);
    const [[id, fingerprint] = ["", ""]] = skills.indexed.fingerprints;
    expect(path.basename(id)).toBe("alpha");
    expect(fingerprint).not.toBe("");
    expect(skills.find(id)).toMatchObject({ kind: "skill", entry: { listedAs: "alpha" } });
    expect(skills.idsNamed(" ALPHA ")).toEqual(new Set([id]));
    expect(skills.idsNamed("alpha".repeat(100))).toEqual(new Set());
  });
});

describe("a client from which skills are disabled", () => {
  test("search: the index is that of all clients, scores stay, and what is disabled is not found", async () => {
    const sandbox = createSandbox();
    for (const name of ["alpha", "beta", "gamma"])
      sandbox.skill(`${SKILLS}/${name}`, { description: `Feeds ${name} zebras.` });
    const whole = await skillsOf(sandbox).refresh("request");
    const names = new Set(["agents:alpha"]);
    const seen = withoutDisabled(whole, {
      key: "one",
      sets: [{ names, whom: { kind: "agent", name: "codex" } }],
    });
    const [all, left] = [searchableSnapshot(whole), searchableSnapshot(seen)];
    expect(left.indexed).toBe(all.indexed);
    const index = await createCurrentIndex({ cache: undefined }).of(all.indexed);
    const find = (skills: typeof all) =>
      searchSkills(skills, index, {
        ...{ task: "feed zebras", limit: 2, audience: "people" },
        synonyms: new Map(),
      });
    const [before, after] = [await find(all), await find(left)];
    expect(before).toMatchObject({ total: 3, results: [{ name: "alpha" }, { name: "beta" }] });
    expect(after).toMatchObject({ total: 2, results: [{ name: "beta" }, { name: "gamma" }] });
    expect(after.results[0]).toEqual(before.results[1]);
  });
});
