import { describe, expect, onTestFinished, test } from "vitest";
import { hasLibrary, openSources } from "../../../src/app/library/open-sources.ts";
import { NO_LOG } from "../../../src/system/log.ts";
import { createOrigin } from "../../sources/origin.ts";
import { createSandbox, FAST_FOLDER } from "../../support/sandbox.ts";

/** A repository whose config.yaml says whether scripts are run, and what an operator who named it has opened. */
async function openRepository() {
  const sandbox = createSandbox(FAST_FOLDER);
  const origin = createOrigin(sandbox.path());
  const commit = (enabled: boolean) => origin.commit({ "config.yaml": `scripts:\n  enabled: ${enabled}\n` });
  commit(false);
  const sources = await openSources({
    library: undefined,
    userDir: sandbox.home,
    environment: { PATH: process.env["PATH"], HOME: sandbox.home, SKILLS_REPO: origin.fileUrl },
    log: NO_LOG,
  });
  onTestFinished(() => sources.close());
  return { commit, git: sources.git, runsScripts: () => sources.settings().values.scripts.enabled };
}

describe("the settings of a repository", () => {
  // Reading them takes a trip to the disk. Who looks right after the answer sees whether it came too early.
  test("are read before a refresh answers", async () => {
    const { commit, git, runsScripts } = await openRepository();
    expect(runsScripts()).toBe(true);
    await git?.refresh();
    expect(runsScripts()).toBe(false);
    commit(true);
    await git?.refresh();
    expect(runsScripts()).toBe(true);
  });

  test("are read before the wait for the first clone is over", async () => {
    const { git, runsScripts } = await openRepository();
    git?.start(undefined);
    expect(await git?.fetchMissing()).toBe(true);
    expect(runsScripts()).toBe(false);
  });
});

test.each([
  [undefined, undefined, false],
  [undefined, "  ", false],
  [undefined, "file:///shop/skills", true],
  ["skills", undefined, true],
  ["skills", "file:///shop/skills", true],
])("with the library %j and SKILLS_REPO=%j there is a library: %j", (library, repos, expected) => {
  expect(hasLibrary(library, repos === undefined ? {} : { SKILLS_REPO: repos })).toBe(expected);
});

test("each update first loads the settings, then refreshes the skills, one update at a time", async () => {
  const { commit, git } = await openRepository();
  const steps: string[] = [];
  const step = (name: string) => async () => {
    steps.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    steps.push(`${name} ends`);
  };
  git?.onUpdate("skills", step("skills"));
  git?.onUpdate("settings", step("settings"));
  await git?.refresh();
  commit(true);
  await git?.refresh();
  const once = ["settings begins", "settings ends", "skills begins", "skills ends"];
  expect(steps).toEqual([...once, ...once]);
});
