import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { identityOf } from "../../scripts/release/identity.mjs";
import {
  installLinks,
  labelledDockerfile,
  pluginFiles,
  publishedPackage,
  publishedSbom,
  serverJson,
} from "../../scripts/release/manifests.mjs";
import { serverJsonProblems } from "../../scripts/release/server-json-rules.mjs";

const ROOT = path.resolve(import.meta.dirname, "../..");
type Product = Parameters<typeof identityOf>[0]["product"];
const product = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as Product;
const PLACEHOLDER = {
  name: "@your-scope/skills-mcp",
  repository: "https://github.com/your-org/skills-mcp",
  product,
};

test.each([
  ["https://github.com/Your-Org/tools.git", "io.github.Your-Org/tools", "ghcr.io/your-org/tools"],
  ["https://github.com/your-org/tools/", "io.github.your-org/tools", "ghcr.io/your-org/tools"],
  ["https://code.example.com/group/sub/tools", "com.example.code/tools", "skills-mcp"],
])("release: what follows from the repository %s", (repository, serverName, image) => {
  expect(identityOf({ ...PLACEHOLDER, repository })).toMatchObject({ serverName, image });
});

test.each([
  [undefined, PLACEHOLDER.repository, "--name"],
  ["Skills", PLACEHOLDER.repository, "--name"],
  ["@your-scope/", PLACEHOLDER.repository, "--name"],
  [PLACEHOLDER.name, undefined, "--repository"],
  [PLACEHOLDER.name, "git@github.com:your-org/tools.git", "--repository"],
  [PLACEHOLDER.name, "https://github.com/your-org", "--repository"],
])("release: refuses the name %s with the repository %s", (name, repository, flag) => {
  expect(() => identityOf({ name, repository, product })).toThrow(flag);
});

test("release: package.json is published with its addresses, and without what only a clone needs", () => {
  const published = publishedPackage({ ...product }, identityOf(PLACEHOLDER));
  expect(published).toMatchObject({
    name: "@your-scope/skills-mcp",
    version: product.version,
    mcpName: "io.github.your-org/skills-mcp",
    homepage: "https://github.com/your-org/skills-mcp#readme",
    repository: { type: "git", url: "git+https://github.com/your-org/skills-mcp.git" },
    bin: { "skills-mcp": "dist/cli.js" },
  });
  for (const key of ["private", "scripts", "imports", "devDependencies"])
    expect(published).not.toHaveProperty(key);
});

const server = serverJson(identityOf(PLACEHOLDER));
const [npm] = server["packages"] as readonly object[];
test.each<[string, object, readonly string[]]>([
  ["is right", {}, []],
  ["has a long description", { description: "x".repeat(101) }, ["description is wrong"]],
  ["has a name without a namespace", { name: "skills-mcp" }, ["name is wrong"]],
  [
    "has a range as version",
    { version: "^1.0.0" },
    ["version is wrong", expect.stringContaining("another version")],
  ],
  ["has no package", { packages: [] }, ["packages is wrong"]],
  ["has an unknown field", { licence: "MIT" }, ["licence is unknown"]],
  [
    "has a package over HTTP",
    { packages: [{ ...npm, transport: { type: "sse" } }] },
    ["packages[0].transport is wrong"],
  ],
  [
    "has a repository without its source",
    { repository: { url: "https://example.com" } },
    ["repository is wrong"],
  ],
])("server.json: one that %s", (_what, change, problems) => {
  expect(serverJsonProblems({ ...server, ...change })).toEqual(problems);
});

test("release: each agent's plugin starts the program in its own folder", () => {
  const { version } = product;
  const starts = Object.entries(pluginFiles(identityOf(PLACEHOLDER))).flatMap(([file, content]) =>
    "mcpServers" in content ? [[file, JSON.stringify(content["mcpServers"])]] : [],
  );
  expect(Object.fromEntries(starts)).toEqual({
    "gemini-extension.json": expect.stringContaining("${extensionPath}${/}skills-mcp${/}dist${/}cli.js"),
    "skills-mcp/.claude-plugin/plugin.json": expect.stringContaining("${CLAUDE_PLUGIN_ROOT}/dist/cli.js"),
    "skills-mcp/.codex-plugin/plugin.json": expect.stringContaining(
      `plugins/cache/skills-mcp/skills-mcp/${version}/dist/cli.js`,
    ),
  });
});

test("release: the Dockerfile has the labels of the release after those of the repository", () => {
  const dockerfile = readFileSync(path.join(ROOT, "Dockerfile"), "utf8");
  const labelled = labelledDockerfile(dockerfile, identityOf(PLACEHOLDER), "0123abc");
  expect(labelled.startsWith(dockerfile.trimEnd())).toBe(true);
  const labels = [...labelled.matchAll(/^(?:LABEL| {5}) ([\w.]+)=(".*?")/gm)].map(([, key, value]) => [
    key,
    value,
  ]);
  expect(Object.fromEntries(labels)).toMatchObject({
    "org.opencontainers.image.title": '"skills-mcp"',
    "org.opencontainers.image.description": JSON.stringify(product.description),
    "org.opencontainers.image.licenses": JSON.stringify(product.license),
    "org.opencontainers.image.version": JSON.stringify(product.version),
    "org.opencontainers.image.revision": '"0123abc"',
    "io.modelcontextprotocol.server.name": '"io.github.your-org/skills-mcp"',
  });
});

test("release: the SBOM is about the published package", () => {
  const sbom = {
    metadata: { component: { "bom-ref": "skills-mcp@1", name: "skills-mcp", version: "1" } },
    dependencies: [{ ref: "skills-mcp@1", dependsOn: ["pkg:npm/zod@4"] }],
  };
  const purl = `pkg:npm/%40your-scope/skills-mcp@${product.version}`;
  expect(publishedSbom(sbom, identityOf(PLACEHOLDER))).toMatchObject({
    metadata: { component: { group: "@your-scope", name: "skills-mcp", purl, "bom-ref": purl } },
    dependencies: [{ ref: purl, dependsOn: ["pkg:npm/zod@4"] }],
  });
});

test("release: the links of Cursor and VS Code install the same entry, with and without a page between", () => {
  const links = installLinks(identityOf(PLACEHOLDER));
  const entry = {
    command: "npx",
    args: ["--prefer-offline", "-y", `@your-scope/skills-mcp@${product.version}`],
  };
  for (const link of [links.cursor, links.cursorPage]) {
    const { searchParams } = new URL(link);
    const config = Buffer.from(searchParams.get("config") ?? "", "base64").toString();
    expect([searchParams.get("name"), JSON.parse(config)]).toEqual(["skills", entry]);
  }
  expect(new URL(links.vscodePage).searchParams.get("url")).toBe(links.vscode);
  const [, query = ""] = /^vscode:mcp\/install\?(.*)$/.exec(links.vscode) ?? [];
  expect(JSON.parse(decodeURIComponent(query))).toEqual({ name: "skills", ...entry });
});
