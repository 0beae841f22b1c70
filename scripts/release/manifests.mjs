// The texts of a release that name the package or the repository. Each is made of an identity (identity.mjs); the formats are those of the
// registries, agents and engines that read them.

/** The name of the plugin, of its marketplace and of the bundle; the server in it is called as `connect` calls it. */
export const PRODUCT = "skills-mcp";
const SERVER = "skills";
/** The branch of the repository that has the plugins, because its other branches have no built program. */
export const PLUGIN_BRANCH = "plugins";

/** package.json as it is published: without what only a clone needs, and with what marks it as published (packages/util/src/own-package.ts). */
export function publishedPackage(product, { name, page, serverName }) {
  const {
    private: _private,
    scripts: _scripts,
    imports: _imports,
    devDependencies: _tools,
    ...rest
  } = product;
  const { version, description, ...others } = rest;
  return {
    name,
    version,
    description,
    mcpName: serverName,
    homepage: `${page}#readme`,
    bugs: { url: `${page}/issues` },
    repository: { type: "git", url: `git+${page}.git` },
    ...withoutKeys(others, ["name", "homepage", "bugs", "repository"]),
  };
}

/** For the MCP registry. */
export function serverJson({ name, version, description, page, isOnGitHub, serverName }) {
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
    name: serverName,
    title: PRODUCT,
    description,
    version,
    ...(isOnGitHub && { repository: { url: page, source: "github" } }),
    websiteUrl: `${page}#readme`,
    packages: [
      {
        registryType: "npm",
        registryBaseUrl: "https://registry.npmjs.org",
        identifier: name,
        version,
        runtimeHint: "npx",
        transport: { type: "stdio" },
      },
    ],
  };
}

/** manifest.json of the `.mcpb` bundle. */
export function bundleManifest({ version, description, license, author, keywords, node, page }) {
  return {
    manifest_version: "0.3",
    name: PRODUCT,
    version,
    description,
    author: { name: author },
    repository: { type: "git", url: `${page}.git` },
    homepage: `${page}#readme`,
    support: `${page}/issues`,
    server: {
      type: "node",
      entry_point: "dist/cli.js",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the app that installs the bundle replaces it.
      mcp_config: { command: "node", args: ["${__dirname}/dist/cli.js", "mcp"] },
    },
    tools_generated: true,
    prompts_generated: true,
    keywords,
    license,
    compatibility: { platforms: ["darwin", "win32", "linux"], runtimes: { node } },
  };
}

/**
 * The plugins of Claude Code, Codex and Gemini CLI by file, in one folder: the program is in skills-mcp/, once. Paths are those that each
 * agent replaces.
 */
export function pluginFiles(identity) {
  const { version, description, license, author, keywords, page } = identity;
  const about = { name: PRODUCT, version, description };
  const more = { author: { name: author }, homepage: page, repository: page, license, keywords };
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Claude Code replaces it.
  const inClaude = { command: "node", args: ["${CLAUDE_PLUGIN_ROOT}/dist/cli.js", "mcp"] };
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Gemini CLI replaces both.
  const inGemini = { command: "node", args: ["${extensionPath}${/}skills-mcp${/}dist${/}cli.js", "mcp"] };
  return {
    ".claude-plugin/marketplace.json": {
      name: PRODUCT,
      owner: { name: author },
      metadata: { description },
      plugins: [{ ...about, ...more, source: `./${PRODUCT}` }],
    },
    ".agents/plugins/marketplace.json": {
      name: PRODUCT,
      plugins: [
        {
          name: PRODUCT,
          source: { source: "local", path: `./${PRODUCT}` },
          policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
          category: "Productivity",
        },
      ],
    },
    "gemini-extension.json": { ...about, mcpServers: { [SERVER]: inGemini } },
    [`${PRODUCT}/.claude-plugin/plugin.json`]: { ...about, ...more, mcpServers: { [SERVER]: inClaude } },
    [`${PRODUCT}/.codex-plugin/plugin.json`]: {
      ...about,
      ...more,
      mcpServers: { [SERVER]: codexServer(version) },
    },
  };
}

/**
 * Codex replaces nothing in arguments. With a `cwd`, a path could be relative to the plugin, but the server would not be in the project
 * and would not find its skills. Where Codex puts a plugin follows from its names.
 */
function codexServer(version) {
  const file = `plugins/cache/${PRODUCT}/${PRODUCT}/${version}/dist/cli.js`;
  const home = "process.env.CODEX_HOME||require('node:os').homedir()+'/.codex'";
  const code = `const cli=require('node:path').join(${home},'${file}');process.argv.splice(1,0,cli,'mcp');require(cli)`;
  return { command: "node", args: ["-e", code], env_vars: ["CODEX_HOME"], omit_tools_from: ["deferred"] };
}

/** Links that install the server, with and without a web page between: GitHub shows no links of other schemes. */
export function installLinks({ name, version }) {
  const entry = { command: "npx", args: ["--prefer-offline", "-y", `${name}@${version}`] };
  const query = `name=${SERVER}&config=${encodeURIComponent(Buffer.from(JSON.stringify(entry)).toString("base64"))}`;
  const vscode = `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: SERVER, ...entry }))}`;
  return {
    entry,
    cursor: `cursor://anysphere.cursor-deeplink/mcp/install?${query}`,
    cursorPage: `https://cursor.com/en/install-mcp?${query}`,
    vscode,
    vscodePage: `https://insiders.vscode.dev/redirect?url=${encodeURIComponent(vscode)}`,
  };
}

/** The Dockerfile of the repository with the labels of this release. */
export function labelledDockerfile(dockerfile, identity, revision) {
  const { version, page, serverName } = identity;
  const labels = {
    "org.opencontainers.image.version": version,
    "org.opencontainers.image.source": page,
    "org.opencontainers.image.url": page,
    "org.opencontainers.image.documentation": `${page}#readme`,
    "org.opencontainers.image.revision": revision,
    "io.modelcontextprotocol.server.name": serverName,
  };
  const lines = Object.entries(labels).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return `${dockerfile.trimEnd()}\nLABEL ${lines.join(" \\\n      ")}\n`;
}

/** The SBOM of the build, about the package as it is published. */
export function publishedSbom(sbom, { name, version, page }) {
  const { component } = sbom.metadata;
  const [title, group] = name.split("/").reverse();
  const purl = `pkg:npm/${group === undefined ? "" : `${encodeURIComponent(group)}/`}${title}@${version}`;
  const own = {
    ...withoutKeys(component, ["group"]),
    ...(group === undefined ? {} : { group }),
    name: title,
    "bom-ref": purl,
    purl,
    externalReferences: [{ type: "vcs", url: `${page}.git` }],
  };
  const dependencies = sbom.dependencies.map((entry) =>
    entry.ref === component["bom-ref"] ? { ...entry, ref: purl } : entry,
  );
  return { ...sbom, metadata: { ...sbom.metadata, component: own }, dependencies };
}

function withoutKeys(record, keys) {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));
}
