import { describe, expect, onTestFinished, test } from "vitest";
import type { SettingsRepos } from "#skills";
import { NO_LOG } from "#util";
import { startGitServer } from "../../../../test/support/git-server.ts";
import { createOrigin } from "../../../../test/support/origin.ts";
import { createSandbox, skillText } from "../../../../test/support/sandbox.ts";
import { hasLibrary, openSources } from "../../src/repos/open-sources.ts";

/** A repository whose config.yaml says whether scripts are run, and what an operator who named it has opened. */
async function openRepository() {
  const sandbox = createSandbox();
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
  expect(hasLibrary({ library }, repos === undefined ? {} : { SKILLS_REPO: repos })).toBe(expected);
});

test("the operator's own repositories may hold a library, a project's may not", () => {
  expect(hasLibrary({ repos: { own: ["a/b"], project: [] } }, {})).toBe(true);
  expect(hasLibrary({ repos: { own: [], project: ["a/b"] } }, {})).toBe(false);
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

test("repositories that settings name are fetched beside a library folder, and get no token of the operator", async () => {
  const sandbox = createSandbox();
  createOrigin(sandbox.path()).commit({ "skills/pdf/SKILL.md": skillText("pdf", "Reads PDF files") });
  const server = await startGitServer(sandbox.path());
  const url = server.url("team-skills.git");
  const open = async (settings: { readonly repos?: SettingsRepos }, more: NodeJS.ProcessEnv = {}) => {
    const { git, close } = await openSources({
      library: settings.repos === undefined ? undefined : sandbox.path("library"),
      userDir: sandbox.home,
      environment: { PATH: process.env["PATH"], HOME: sandbox.home, GITHUB_TOKEN: "canary", ...more },
      log: NO_LOG,
      ...settings,
    });
    onTestFinished(close);
    await git?.refresh();
    return git;
  };
  const git = await open(
    { repos: { own: [`${url}:skills`], project: [] } },
    { SKILLS_REPO: "file:///nowhere/at/all" },
  );
  expect((await git?.plan())?.roots).toMatchObject([{ provider: "git", location: "repo", repo: { url } }]);
  expect(git?.states()).toHaveLength(1);
  expect(server.requests.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
  await open({}, { SKILLS_REPO: url });
  expect(server.requests.filter(({ authorization }) => authorization !== undefined)).not.toEqual([]);
});

test("an address in settings that is none is refused by the name of the setting", async () => {
  const sandbox = createSandbox();
  const options = { library: undefined, userDir: sandbox.home, environment: {}, log: NO_LOG };
  await expect(openSources({ ...options, repos: { own: ["nonsense"], project: [] } })).rejects.toThrow(
    /^repos in ~\/\.skills-mcp\/config\.yaml contains 'nonsense', which is not an address; use owner\/repo/,
  );
});

test.each([
  "git@example.com:a/b.git",
  "ssh://example.com/a/b.git",
  "file:///srv/a.git",
  "git://example.com/a.git",
])("a project cannot make git use keys or files with %s", async (address) => {
  const sandbox = createSandbox();
  const options = { library: undefined, userDir: sandbox.home, environment: {}, log: NO_LOG };
  await expect(openSources({ ...options, repos: { own: [], project: [address] } })).rejects.toThrow(
    /^repos in \.skills-mcp\.yaml contains '.+'; a project may name https addresses only/,
  );
});

test("of a project's repository only skills and plugins count, no library, script or setting", async () => {
  const sandbox = createSandbox();
  createOrigin(sandbox.path()).commit({
    "skills/pdf/SKILL.md": skillText("pdf", "Reads PDF files"),
    "skills/incident.md": "---\nkeywords: [incident]\n---\n# Incident\n",
    "skills/config.yaml": "matching:\n  max_results: 1\n",
  });
  const server = await startGitServer(sandbox.path());
  const repos = { own: [], project: [server.url("team-skills.git")] };
  const environment = { PATH: process.env["PATH"], HOME: sandbox.home };
  const { git, settings, close } = await openSources({
    library: undefined,
    repos,
    userDir: sandbox.home,
    environment,
    log: NO_LOG,
  });
  onTestFinished(close);
  await git?.refresh();
  expect((await git?.plan())?.roots).toMatchObject([{ provider: "git", location: "repo" }]);
  expect(git?.roots).toEqual([]);
  expect(await git?.configFiles()).toEqual([]);
  expect(settings().values.matching.max_results).toBe(3);
});
