import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { freePort } from "../../../../test/support/free-port.ts";
import { buildTarGz, buildZip } from "../../../../test/support/hostile-archives.ts";
import { startWebServer, type WebPage } from "../../../../test/support/web-server.ts";
import { newestVersion } from "../../src/fetch/fetch-source.ts";
import { indexUrls } from "../../src/fetch/site/from-site.ts";
import { createMachine, filesIn, refusalOf, SKILL } from "./fetching.ts";

const INDEX = "/.well-known/agent-skills/index.json";
const OLD_INDEX = "/.well-known/skills/index.json";
const digestOf = (bytes: string | Buffer): string =>
  `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

const ARCHIVE = buildTarGz([
  { name: "SKILL.md", content: SKILL },
  { name: "scripts/run.sh", content: "echo", mode: 0o755 },
]);
const ZIP = buildZip([{ name: "deep/SKILL.md", content: SKILL }]);

/** An index of version 0.2 with a file, and archives with the skill at the top and one folder down. */
const SITE: Readonly<Record<string, WebPage>> = {
  [INDEX]: {
    json: {
      $schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
      skills: [
        { name: "plain", type: "skill-md", description: "x", url: "plain/SKILL.md", digest: digestOf(SKILL) },
        { name: "whole", type: "archive", description: "x", url: "/files/whole", digest: digestOf(ARCHIVE) },
        { name: "deep", type: "archive", description: "x", url: "deep.zip", digest: digestOf(ZIP) },
        { name: "later", type: "oci-image", description: "x", url: "later", digest: digestOf("") },
      ],
    },
  },
  "/.well-known/agent-skills/plain/SKILL.md": SKILL,
  "/files/whole": ARCHIVE,
  "/.well-known/agent-skills/deep.zip": ZIP,
};

test("every skill of an index of version 0.2 is fetched, verified and listed", async () => {
  const site = await startWebServer(SITE);
  const machine = createMachine();
  const tree = await machine.fetch(site.origin);
  expect(filesIn(tree.folder)).toEqual({
    "deep/deep/SKILL.md": SKILL,
    "plain/SKILL.md": SKILL,
    "whole/SKILL.md": SKILL,
    "whole/scripts/run.sh": "echo",
  });
  expect(tree.listed).toEqual([
    { name: "plain", path: "plain" },
    { name: "whole", path: "whole" },
    { name: "deep", path: "deep/deep" },
  ]);
  expect(machine.logged).toEqual([
    `${site.origin}${INDEX}: entry 4 ('later') is of an unknown type; it is skipped`,
  ]);
  expect(tree.version).toMatch(/^sha256:/);
  expect(await newestVersion({ kind: "site", url: site.origin }, machine.options)).toBe(tree.version);
  await tree.dispose();
  expect(machine.leftovers()).toEqual([]);
});

test("an index of version 0.1 lists files, which are fetched one by one", async () => {
  const site = await startWebServer({
    [OLD_INDEX]: {
      json: { skills: [{ name: "my pdf", description: "x", version: "3", files: ["SKILL.md", "a b/c.md"] }] },
    },
    "/.well-known/skills/my%20pdf/SKILL.md": SKILL,
    "/.well-known/skills/my%20pdf/a%20b/c.md": "text",
  });
  const { folder, listed } = await createMachine().fetch(site.origin);
  expect(filesIn(folder)).toEqual({ "my pdf/SKILL.md": SKILL, "my pdf/a b/c.md": "text" });
  expect(listed).toEqual([{ name: "my pdf", path: "my pdf" }]);
});

test("the site's path comes before its root, and a page in place of an index is passed over", async () => {
  const entry = (name: string) => ({ skills: [{ name, description: "x", files: ["SKILL.md"] }] });
  const site = await startWebServer({
    "/team/.well-known/agent-skills/index.json": "<html>not found</html>",
    "/team/.well-known/skills/index.json": { json: entry("team") },
    "/team/.well-known/skills/team/SKILL.md": SKILL,
    [INDEX]: { json: entry("everyone") },
    "/.well-known/agent-skills/everyone/SKILL.md": SKILL,
  });
  const machine = createMachine();
  expect((await machine.fetch(`${site.origin}/team/`)).listed).toEqual([{ name: "team", path: "team" }]);
  expect((await machine.fetch(`${site.origin}/other`)).listed).toEqual([
    { name: "everyone", path: "everyone" },
  ]);
});

test.each([
  ["https://a.dev", 2, "https://a.dev/.well-known/agent-skills/index.json"],
  ["https://a.dev/docs/", 4, "https://a.dev/docs/.well-known/agent-skills/index.json"],
  ["https://a.dev/.well-known/skills/index.json", 2, "https://a.dev/.well-known/agent-skills/index.json"],
  [
    "https://a.dev/x/.well-known/agent-skills/pdf?y#z",
    4,
    "https://a.dev/x/.well-known/agent-skills/index.json",
  ],
])("for %s there are %i places, the first is %s", (url, count, first) => {
  expect(indexUrls(url)).toHaveLength(count);
  expect(indexUrls(url)[0]).toBe(first);
});

const artifact = (changes: object): WebPage => ({
  json: {
    skills: [{ name: "plain", type: "skill-md", url: "plain/SKILL.md", digest: digestOf(SKILL), ...changes }],
  },
});
const listing = (...files: readonly unknown[]): WebPage => ({ json: { skills: [{ name: "plain", files }] } });

test.each<readonly [string, Readonly<Record<string, WebPage>>, string, RegExp]>([
  [
    "a digest that differs",
    { [INDEX]: artifact({ digest: digestOf("x") }) },
    "broken",
    /sha256 digest differs/,
  ],
  [
    "a digest of a file that differs",
    { [INDEX]: listing({ path: "SKILL.md", digest: digestOf("x") }) },
    "broken",
    /sha256/,
  ],
  [
    "an address on another host",
    { [INDEX]: artifact({ url: "https://example.com/x" }) },
    "other-origin",
    /example\.com/,
  ],
  ["an address that is none", { [INDEX]: artifact({ url: "http://[" }) }, "other-origin", /no address/],
  [
    "a redirect to another host",
    { [INDEX]: artifact({ url: "/go" }), "/go": { redirect: "https://example.com/x" } },
    "other-origin",
    /redirects to https:\/\/example\.com/,
  ],
  [
    "an index that redirects to another host",
    { [INDEX]: { redirect: "https://example.com/" } },
    "other-origin",
    /only the named source/,
  ],
  ["redirects without an end", { [INDEX]: { redirect: INDEX } }, "broken", /more than 5 times/],
  ["a file that is missing", { [INDEX]: artifact({ url: "missing" }) }, "not-found", /404/],
  ["a server that fails", { [INDEX]: { status: 500 } }, "server-error", /500/],
  ["an index of no JSON", { [INDEX]: "{" }, "not-found", /not an index of skills/],
  ["an index without skills", { [INDEX]: { json: { skills: [] } } }, "not-found", /lists no skills/],
  [
    "an index with entries that cannot be used",
    { [INDEX]: { json: { skills: [1, { name: "../x" }] } } },
    "not-found",
    /entry 1 is not an object/,
  ],
  ["a file with an unsafe path", { [INDEX]: listing("SKILL.md", "../evil.md") }, "not-found", /unsafe path/],
  [
    "two files of one name",
    { [INDEX]: listing("SKILL.md", "a.md", "A.md") },
    "unsafe",
    /differs from another name only in case/,
  ],
  [
    "an archive without a skill",
    {
      [INDEX]: artifact({ type: "archive", url: "/a", digest: digestOf(buildZip([{ name: "a" }])) }),
      "/a": buildZip([{ name: "a" }]),
    },
    "broken",
    /no SKILL\.md/,
  ],
  [
    "a hostile archive",
    {
      [INDEX]: artifact({ type: "archive", url: "/a", digest: digestOf(buildZip([{ name: "../a" }])) }),
      "/a": buildZip([{ name: "../a" }]),
    },
    "unsafe",
    /leads out/,
  ],
  ["no index at all", {}, "not-found", /publishes no skills/],
])("a site with %s is refused and leaves nothing behind", async (_what, pages, reason, message) => {
  const site = await startWebServer({ "/.well-known/agent-skills/plain/SKILL.md": SKILL, ...pages });
  const machine = createMachine();
  const refusal = await refusalOf(machine.fetch(site.origin));
  expect(refusal).toEqual({ reason, message: expect.stringMatching(message) as string });
  expect(machine.leftovers()).toEqual([]);
});

test("a redirect on the same host is followed", async () => {
  const site = await startWebServer({
    [INDEX]: artifact({ url: "/go" }),
    "/go": { redirect: "/there" },
    "/there": SKILL,
  });
  expect(filesIn((await createMachine().fetch(site.origin)).folder)).toEqual({ "plain/SKILL.md": SKILL });
});

test("content beyond the limit is refused, whether the server announces its size or not", async () => {
  const site = await startWebServer({ [INDEX]: artifact({ url: "/a" }), "/a": "x".repeat(5_000) });
  const machine = createMachine();
  const limits = { fileBytes: 4_000 };
  expect(await refusalOf(machine.fetch(site.origin, {}, limits))).toMatchObject({ reason: "too-large" });
  site.pages.set("/a", (response) => {
    response.write("x".repeat(3_000));
    response.end("x".repeat(3_000));
  });
  expect(await refusalOf(machine.fetch(site.origin, {}, limits))).toMatchObject({ reason: "too-large" });
  expect(machine.leftovers()).toEqual([]);
});

test("all skills of a site together have a limit", async () => {
  const names = ["one", "two", "three"];
  const skills = names.map((name) => ({ name, type: "skill-md", url: "/s", digest: digestOf(SKILL) }));
  const site = await startWebServer({ [INDEX]: { json: { skills } }, "/s": SKILL });
  const machine = createMachine();
  expect(await refusalOf(machine.fetch(site.origin, {}, { files: 2 }))).toMatchObject({
    reason: "too-large",
  });
  expect(await refusalOf(machine.fetch(site.origin, {}, { listedSkills: 2 }))).toMatchObject({
    reason: "too-large",
  });
});

test("a server that sends nothing, or not all, or drips for too long is given up", async () => {
  const site = await startWebServer({ [INDEX]: () => {} });
  const machine = createMachine();
  expect(await refusalOf(machine.fetch(site.origin, {}, { stallMs: 50 }))).toEqual({
    reason: "time-out",
    message: `The index could not be fetched from ${site.origin}${INDEX}: nothing arrived for 0.1 s; try again later.`,
  });
  site.pages.set(INDEX, (response) => void response.write("{"));
  expect(await refusalOf(machine.fetch(site.origin, {}, { stallMs: 50 }))).toMatchObject({
    reason: "time-out",
  });
  site.pages.set(INDEX, (response) => {
    const timer = setInterval(() => response.write(" "), 10);
    response.on("close", () => clearInterval(timer));
  });
  expect(await refusalOf(machine.fetch(site.origin, {}, { requestMs: 80 }))).toMatchObject({
    reason: "time-out",
  });
  site.pages.set(INDEX, (response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write("{", () => response.destroy());
  });
  expect(await refusalOf(machine.fetch(site.origin))).toMatchObject({ reason: "unreachable" });
});

test("a site that is not there is unreachable, and a proxy that Node does not use is mentioned", async () => {
  const machine = createMachine({ HTTPS_PROXY: "http://127.0.0.1:9" });
  const port = await freePort();
  const near = await refusalOf(machine.fetch(`http://127.0.0.1:${port}/`));
  expect(near).toMatchObject({ reason: "unreachable" });
  expect(near.message).not.toContain("proxy");
  // Not an address of this machine by its text, but nothing leaves it.
  const far = await refusalOf(machine.fetch(`https://0.0.0.0:${port}/`));
  expect(far.message).toMatch(/it is unreachable.*A proxy is set.*NODE_USE_ENV_PROXY=1/);
});

test("an abort ends the request, and nothing is left", async () => {
  const controller = new AbortController();
  const site = await startWebServer({ [INDEX]: () => controller.abort() });
  const machine = createMachine();
  const refusal = await refusalOf(machine.fetch(site.origin, { signal: controller.signal }));
  expect(refusal).toMatchObject({ reason: "cancelled" });
  expect(machine.leftovers()).toEqual([]);
});
