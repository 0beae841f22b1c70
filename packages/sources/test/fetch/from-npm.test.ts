import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { buildTarGz } from "../../../../test/support/hostile-archives.ts";
import { startWebServer, type WebPage } from "../../../../test/support/web-server.ts";
import { newestVersion } from "../../src/fetch/fetch-source.ts";
import { registryFor } from "../../src/fetch/npm/npm-config.ts";
import { findVersion } from "../../src/fetch/npm/npm-package.ts";
import { createMachine, filesIn, refusalOf, SKILL } from "./fetching.ts";

const TARBALL = buildTarGz([
  { name: "package/package.json", content: '{"scripts":{"install":"touch /tmp/evil.md"}}' },
  { name: "package/skills/pdf/SKILL.md", content: SKILL },
]);
const integrityOf = (bytes: Buffer): string =>
  `sha512-${createHash("sha512").update(bytes).digest("base64")}`;

function describePackage(origin: string, dist: object = {}): WebPage {
  const tarball = `${origin}/files/skills-2.0.0.tgz`;
  const version = { dist: { tarball, integrity: integrityOf(TARBALL), ...dist } };
  return {
    json: {
      "dist-tags": { latest: "2.0.0", next: "3.0.0-rc.1" },
      versions: { "2.0.0": version, "3.0.0-rc.1": version },
    },
  };
}

async function startRegistry(dist: object = {}) {
  const registry = await startWebServer({ "/files/skills-2.0.0.tgz": TARBALL });
  for (const name of ["/skills", "/@team%2fskills"])
    registry.pages.set(name, describePackage(registry.origin, dist));
  return registry;
}

test("a package comes from the registry that npm is set to, verified, and nothing of it is run", async () => {
  const registry = await startRegistry();
  const machine = createMachine({ npm_config_registry: registry.origin });
  const tree = await machine.fetch("npm:skills");
  expect(Object.keys(filesIn(tree.folder))).toEqual(["package.json", "skills/pdf/SKILL.md"]);
  expect(tree.version).toBe("2.0.0");
  expect((await machine.fetch("npm:skills@next")).version).toBe("3.0.0-rc.1");
  expect((await machine.fetch("npm:skills@3.0.0-rc.1")).version).toBe("3.0.0-rc.1");
  expect(await newestVersion({ kind: "npm", name: "skills" }, machine.options)).toBe("2.0.0");
});

test("a scope's registry and its token come from the user's .npmrc, and the token goes nowhere else", async () => {
  const registry = await startRegistry();
  const machine = createMachine({ TOKEN: "s3cret" });
  const host = new URL(registry.origin).host;
  mkdirSync(machine.home);
  writeFileSync(
    path.join(machine.home, ".npmrc"),
    `@team:registry=${registry.origin}\n//${host}/:_authToken=\${TOKEN}\n`,
  );
  await machine.fetch("npm:@team/skills");
  expect(registry.requests.map(({ headers }) => headers.authorization)).toEqual([
    "Bearer s3cret",
    "Bearer s3cret",
  ]);
  const other = await startWebServer();
  registry.pages.set("/@team%2fskills", { redirect: `${other.origin}/steal` });
  expect(await refusalOf(machine.fetch("npm:@team/skills"))).toMatchObject({ reason: "other-origin" });
  expect(other.requests).toEqual([]);
});

test("a project's .npmrc sends no variable and no request to a host of its choice", async () => {
  const registry = await startRegistry();
  const thief = await startWebServer();
  const machine = createMachine({
    AWS_SECRET: "s3cret",
    TOKEN: "t0ken",
    npm_config_registry: registry.origin,
  });
  mkdirSync(machine.cwd);
  const file = path.join(machine.cwd, ".npmrc");
  const host = new URL(thief.origin).host;
  writeFileSync(
    file,
    `registry=${thief.origin}/\${AWS_SECRET}/\n@team:registry=${thief.origin}\n//${host}/:_authToken=\${TOKEN}\n` +
      `//${new URL(registry.origin).host}/:_authToken=\${TOKEN}\n`,
  );
  await machine.fetch("npm:skills");
  await newestVersion({ kind: "npm", name: "@team/skills" }, machine.options);
  expect(thief.requests).toEqual([]);
  expect(registry.requests.map(({ headers }) => headers.authorization)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  const warned = machine.logged.filter((line) => line.startsWith(file));
  expect(warned).toHaveLength(2);
  expect(warned[0]).toContain(
    `sets registry, //${new URL(registry.origin).host}/:_authToken, which is ignored`,
  );
  expect(warned[1]).toContain("sets registry, @team:registry, //");
  expect(warned[0]).toContain(`copy it to ${path.join(machine.home, ".npmrc")}`);
  expect(machine.logged.join("\n")).not.toMatch(/s3cret|t0ken/);
});

test("a project's .npmrc that says what is used anyway is no warning", async () => {
  const registry = await startRegistry();
  const machine = createMachine({ npm_config_registry: registry.origin });
  mkdirSync(machine.cwd);
  writeFileSync(path.join(machine.cwd, ".npmrc"), `registry=${registry.origin}/\nsave-exact=true\n`);
  await machine.fetch("npm:skills");
  expect(machine.logged).toEqual([]);
});

test.each<readonly [string, object, string, RegExp]>([
  ["content that differs", { integrity: integrityOf(Buffer.from("x")) }, "broken", /checksum differs/],
  [
    "a weak checksum that matches beside a strong one that does not",
    {
      integrity: `sha1-x ${integrityOf(Buffer.from("x"))}`,
      shasum: createHash("sha1").update(TARBALL).digest("hex"),
    },
    "broken",
    /checksum differs/,
  ],
  ["no checksum", { integrity: undefined }, "not-found", /cannot be verified/],
  ["a tarball on another host", { tarball: "https://example.com/x.tgz" }, "other-origin", /example\.com/],
  ["a tarball of no address", { tarball: "nowhere" }, "not-found", /no tarball/],
  ["a tarball that is missing", { tarball: undefined }, "not-found", /no tarball/],
])("a package with %s is refused and leaves nothing behind", async (_what, dist, reason, message) => {
  const registry = await startRegistry(dist);
  const machine = createMachine({ npm_config_registry: registry.origin });
  const refusal = await refusalOf(machine.fetch("npm:skills"));
  expect(refusal).toEqual({ reason, message: expect.stringMatching(message) as string });
  expect(machine.leftovers()).toEqual([]);
});

test("a package that does not exist, or not in this version, is refused with the way out", async () => {
  const registry = await startRegistry();
  const machine = createMachine({ npm_config_registry: registry.origin });
  expect(await refusalOf(machine.fetch("npm:nothing"))).toEqual({
    reason: "not-found",
    message: `${registry.origin}/ has no package 'nothing'; check its name.`,
  });
  expect((await refusalOf(machine.fetch("npm:skills@9"))).message).toBe(
    "The package skills has no version or tag '9'; use an exact version or one of the tags latest, next.",
  );
});

test("a mirror that passes on the public registry's addresses is asked for the same path", async () => {
  const registry = await startRegistry({ tarball: "https://registry.npmjs.org/files/skills-2.0.0.tgz" });
  const machine = createMachine({ npm_config_registry: `${registry.origin}/` });
  await machine.fetch("npm:skills");
  expect(registry.requests.map(({ url }) => url)).toEqual(["/skills", "/files/skills-2.0.0.tgz"]);
});

const NONE = { environment: {}, user: "" };

test.each([
  ["nothing is set", "a", NONE, "https://registry.npmjs.org/", undefined],
  [
    "the user's file",
    "a",
    { ...NONE, user: "registry = https://u.dev/npm" },
    "https://u.dev/npm/",
    undefined,
  ],
  [
    "the environment before the user's file",
    "a",
    { environment: { NPM_CONFIG_REGISTRY: "https://e.dev" }, user: "registry=https://u.dev" },
    "https://e.dev/",
    undefined,
  ],
  [
    "a scope of its own",
    "@s/a",
    { ...NONE, user: "@s:registry=https://s.dev\nregistry=https://u.dev" },
    "https://s.dev/",
    undefined,
  ],
  [
    "another scope",
    "@t/a",
    { ...NONE, user: "@s:registry=https://s.dev" },
    "https://registry.npmjs.org/",
    undefined,
  ],
  [
    "a token of the host",
    "a",
    { ...NONE, user: 'registry=https://u.dev/npm/\n//u.dev/:_authToken="abc"' },
    "https://u.dev/npm/",
    "Bearer abc",
  ],
  [
    "the token of the longest path",
    "a",
    { ...NONE, user: "registry=https://u.dev/npm/\n//u.dev/:_authToken=a\n//u.dev/npm/:_authToken=b" },
    "https://u.dev/npm/",
    "Bearer b",
  ],
  [
    "a token of another host",
    "a",
    { ...NONE, user: "registry=https://u.dev\n//v.dev/:_authToken=a" },
    "https://u.dev/",
    undefined,
  ],
  [
    "a name and password",
    "a",
    { ...NONE, user: "registry=https://u.dev\n//u.dev/:_auth=eDp5" },
    "https://u.dev/",
    "Basic eDp5",
  ],
  [
    "a comment and a broken address",
    "a",
    { ...NONE, user: "# registry=https://c.dev\n;x=y\nregistry=nonsense" },
    "https://registry.npmjs.org/",
    undefined,
  ],
])("npm's registry: %s", (_what, name, settings, url, authorization) => {
  expect(registryFor(name, settings)).toEqual({ url, authorization });
});

test.each([
  undefined,
  null,
  [],
  {},
  { versions: [] },
  { versions: {} },
  { versions: { __proto__: 1 }, "dist-tags": { latest: "toString" } },
])("a description like %j is refused with words", (document) => {
  expect(findVersion(document, undefined)).toMatch(/^(?:is not described|has no latest version)/);
});
