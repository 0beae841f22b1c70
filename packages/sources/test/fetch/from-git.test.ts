import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { startGitServer } from "../../../../test/support/git-server.ts";
import { createOrigin } from "../../../../test/support/origin.ts";
import { parseSourceAddress } from "../../src/address/source-address.ts";
import { newestVersion, sameFolders } from "../../src/fetch/fetch-source.ts";
import { createMachine, filesIn, refusalOf, SKILL } from "./fetching.ts";

const FILES = {
  "README.md": "hello",
  "skills/pdf/SKILL.md": SKILL,
  "skills/pdf/a.md": "a",
  "skills/web/SKILL.md": SKILL,
};

async function startOrigin(environment: NodeJS.ProcessEnv = {}) {
  const machine = createMachine(environment);
  const origin = createOrigin(machine.root);
  const server = await startGitServer(machine.root);
  return { machine, origin, server, url: server.url("team-skills.git") };
}

test("the default branch is fetched over HTTP without history, and no .git is left in the folder", async () => {
  const { machine, origin, url } = await startOrigin();
  origin.commit(FILES);
  const commit = origin.commit({ ...FILES, "README.md": "bye" });
  const tree = await machine.fetch(url);
  expect(tree.commit).toBe(commit);
  expect(filesIn(tree.folder)).toEqual({ ...FILES, "README.md": "bye" });
  expect(existsSync(path.join(tree.folder, ".git"))).toBe(false);
  expect(readdirSync(path.dirname(tree.folder))).toEqual(["tree"]);
  expect(machine.progress.at(0)).toBe(`asking ${url} for its newest commit`);
  await tree.dispose();
  expect(machine.leftovers()).toEqual([]);
});

test("a branch, a tag, an annotated tag, a full and a short commit are what they name", async () => {
  const { machine, origin, url } = await startOrigin();
  const first = origin.commit({ "a.md": "first" });
  origin.git("tag", "v1");
  origin.git("-c", "user.name=a", "-c", "user.email=a@b", "tag", "-a", "-m", "x", "v1-annotated");
  const second = origin.commit({ "a.md": "second" });
  const branch = origin.commit({ "a.md": "branch" }, { branch: "feature/x", orphan: true });
  const named: Readonly<Record<string, string>> = {
    v1: first,
    "v1-annotated": first,
    main: second,
    "feature/x": branch,
    [first]: first,
    [first.slice(0, 8)]: first,
  };
  for (const [ref, commit] of Object.entries(named)) {
    expect(await newestVersion(parseSourceAddress(`${url}#${ref}`), machine.options), ref).toBe(commit);
    if (ref !== "v1" && ref !== first)
      expect((await machine.fetch(`${url}#${ref}`)).commit, ref).toBe(commit);
  }
});

test("folders of two commits are compared without their files, and what git cannot tell is left out", async () => {
  const { machine, origin, server, url } = await startOrigin();
  const from = origin.commit({ ...FILES, "skills/gone/SKILL.md": SKILL });
  const to = origin.commit({ ...FILES, "README.md": "bye", "skills/web/SKILL.md": `${SKILL}more` });
  const folders = ["skills/pdf", "skills/web", "skills/gone", "skills/none", ""];
  const compare = (first: string) =>
    sameFolders(parseSourceAddress(url), { from: first, to, folders }, machine.options);
  const known = { "skills/pdf": true, "skills/web": false, "": false };
  expect(Object.fromEntries(await compare(from))).toEqual(known);
  // A commit that is gone, and what is no commit.
  for (const first of ["0123456789012345678901234567890123456789", "--upload-pack=touch evil"])
    expect([...(await compare(first))]).toEqual([]);
  server.mode = { kind: "old" };
  expect([...(await compare(from))]).toEqual([]);
  expect(machine.leftovers()).toEqual([]);
});

test("a locked commit is fetched, whatever the branch points to now and whatever the server gives out", async () => {
  const { machine, origin, server, url } = await startOrigin();
  const locked = origin.commit({ "a.md": "locked" });
  origin.commit({ "a.md": "newer" });
  for (const kind of ["ok", "old"] as const) {
    server.mode = { kind };
    const fetched = await machine.fetch(`${url}#main`, { commit: locked });
    expect(fetched.commit).toBe(locked);
    expect(filesIn(fetched.folder)).toEqual({ "a.md": "locked" });
  }
  const gone = "0123456789012345678901234567890123456789";
  expect(await refusalOf(machine.fetch(url, { commit: gone }))).toEqual({
    reason: "not-found",
    message: `${url} has no commit ${gone}; a force-push may have removed it. Choose another one.`,
  });
  expect(machine.logged).toEqual([]);
});

test("a path narrows what is written, at its place in the repository", async () => {
  const { machine, origin, server, url } = await startOrigin();
  const commit = origin.commit(FILES);
  // Servers may leave out the other files, or not, or not give out single ones.
  for (const [filter, kind] of [
    ["false", "ok"],
    ["true", "ok"],
    ["true", "old"],
  ] as const) {
    origin.git("config", "uploadpack.allowFilter", filter);
    server.mode = { kind };
    const tree = await machine.fetch(`${url}:skills/pdf`);
    expect(tree.commit).toBe(commit);
    expect(Object.keys(filesIn(tree.folder))).toEqual(["skills/pdf/SKILL.md", "skills/pdf/a.md"]);
  }
  expect((await refusalOf(machine.fetch(`${url}:skills/none`))).message).toMatch(
    /has no folder 'skills\/none' at/,
  );
  expect((await refusalOf(machine.fetch(`${url}:README.md`))).message).toMatch(
    /has no folder 'README.md' at/,
  );
});

test.runIf(process.platform !== "win32")(
  "links that lead out, submodules and git's own names are left out and logged",
  async () => {
    const { machine, origin, url } = await startOrigin();
    origin.commit({
      ...FILES,
      "skills/pdf/inside.md": { link: "../web/SKILL.md" },
      "skills/pdf/outside": { link: "../../../etc/passwd" },
      "skills/pdf/absolute": { link: "/etc/passwd" },
      "vendor/lib": { submodule: "1".repeat(40) },
    });
    const { folder } = await machine.fetch(url);
    expect(Object.keys(filesIn(folder))).toEqual([...Object.keys(FILES), "skills/pdf/inside.md"].toSorted());
    expect(machine.logged).toHaveLength(3);
    // What is inside the repository may be outside of the part that is fetched.
    const narrow = await machine.fetch(`${url}:skills/pdf`);
    expect(Object.keys(filesIn(narrow.folder))).toEqual(["skills/pdf/SKILL.md", "skills/pdf/a.md"]);
  },
);

test("the token goes to GitHub and the server that GitHub's runner names, and to no other host", async () => {
  const { machine, origin, server, url } = await startOrigin({ GITHUB_TOKEN: "ghp_secret" });
  origin.commit(FILES);
  await machine.fetch(url);
  expect(server.requests.every(({ authorization }) => authorization === undefined)).toBe(true);
  server.mode = { kind: "auth", token: "ghp_secret" };
  const environment = { ...machine.options.environment, GITHUB_SERVER_URL: server.origin };
  await machine.fetch(url, { environment });
  expect(await refusalOf(machine.fetch(url))).toMatchObject({ reason: "denied" });
});

test.each([
  ["not there", { kind: "status", status: 404 }, "not-found", /was not found/],
  ["private", { kind: "status", status: 401 }, "denied", /requires a login/],
  ["broken", { kind: "status", status: 500 }, "server-error", /failed \(500\)/],
  [
    "moved",
    { kind: "redirect", to: "http://127.0.0.1:1" },
    "other-origin",
    /redirects to another address.*use the new address/,
  ],
  ["cut off", { kind: "cut", bytes: 100 }, "broken", /git fetch/],
] as const)(
  "a repository that is %s is refused and leaves nothing behind",
  async (_what, mode, reason, message) => {
    const { machine, origin, server, url } = await startOrigin();
    origin.commit(FILES);
    server.mode = mode;
    const refusal = await refusalOf(machine.fetch(url));
    expect(refusal).toEqual({ reason, message: expect.stringMatching(message) as string });
    expect(machine.leftovers()).toEqual([]);
  },
);

test("an unknown ref and an empty repository are refused with the way out", async () => {
  const { machine, origin, url } = await startOrigin();
  expect((await refusalOf(machine.fetch(url))).message).toBe(`${url} is empty; push a commit to it.`);
  origin.commit(FILES);
  expect((await refusalOf(machine.fetch(`${url}#nope`))).message).toBe(
    `${url} has no branch, tag or commit 'nope'; its default branch is 'main'.`,
  );
  expect((await refusalOf(machine.fetch(`${url}#deadbeef`))).message).toMatch(
    /no branch, tag or commit 'deadbeef'/,
  );
});

test("an abort ends git, and nothing is left", async () => {
  const { machine, origin, server, url } = await startOrigin();
  origin.commit(FILES);
  const controller = new AbortController();
  server.mode = { kind: "hang" };
  server.onRequest = () => controller.abort();
  expect(await refusalOf(machine.fetch(url, { signal: controller.signal }))).toMatchObject({
    reason: "cancelled",
  });
  expect(machine.leftovers()).toEqual([]);
  const aborted = await refusalOf(machine.fetch(url, { signal: AbortSignal.abort() }));
  expect(aborted).toMatchObject({ reason: "cancelled" });
});
