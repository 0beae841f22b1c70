// Checks what users install: packs it, installs it with no registry in reach, and uses every command, server and entry point of it, and
// its types, from there.
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureBuilt, root, run } from "./bootstrap.mjs";
import { checkSbom } from "./package/check-sbom.mjs";
import { useCommands } from "./package/use-commands.mjs";

const MOST_BYTES = 10_000_000;
const ALLOWED = /^(?:dist\/|examples\/|package\.json$|README\.md$|LICENSE$|CHANGELOG\.md$)/;

ensureBuilt();
// It imports a package, which a fresh clone does not have before.
const { useServers } = await import("./package/use-servers.mjs");
const { name, version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const scratch = mkdtempSync(path.join(tmpdir(), "skills-mcp-package-"));
try {
  const tarball = pack();
  const bin = (tool) => path.join(root, "node_modules", ".bin", tool);
  run(bin("publint"), ["--strict", tarball]);
  run(bin("attw"), [tarball, "--profile", "esm-only"]);

  const installed = install(tarball);
  checkFiles(installed);
  const notices = readFileSync(path.join(installed, "dist", "THIRD-PARTY-NOTICES.txt"), "utf8");
  const count = await checkSbom(path.join(installed, "dist", "sbom.cdx.json"), notices);
  console.log(`The SBOM names ${count} bundled packages, each with its licence.`);
  const cli = path.join(installed, "dist", "cli.js");
  const printed = execFileSync(cli, ["--version"], { encoding: "utf8" }).trim();
  if (printed !== version) throw new Error(`It says that it is ${printed}, not ${version}.`);
  console.log(`${useCommands(cli, emptyFolder("commands"))} commands run.`);
  console.log(`Used: ${(await useServers(cli, emptyFolder("servers"))).join(", ")}.`);
  useLibrary(tarball);
  console.log("The library is imported and required, and its types stand alone.");
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function pack() {
  const folder = emptyFolder("packed");
  run("npm", ["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", folder]);
  return path.join(folder, readdirSync(folder)[0]);
}

/** Installs as a command for all, and returns the folder of the package. */
function install(tarball) {
  const prefix = emptyFolder("prefix");
  npmInstall("--global", "--prefix", prefix, tarball);
  const modules = ["lib/node_modules", "node_modules"]
    .map((folder) => path.join(prefix, folder))
    .find((folder) => existsSync(folder));
  const packages = execFileSync("npm", ["ls", "--global", "--prefix", prefix, "--all", "--parseable"], {
    encoding: "utf8",
  });
  const count = packages.trim().split("\n").length - 1;
  if (count !== 1) throw new Error(`${count} packages were installed, not 1.`);
  if (
    process.platform !== "win32" &&
    !readdirSync(path.join(prefix, "share/man/man1")).includes("skills-mcp.1")
  )
    throw new Error("man skills-mcp does not work after a global install.");
  return path.join(modules, name);
}

/** With an empty cache and no network: everything must be in the tarball. */
function npmInstall(...args) {
  const alone = ["--offline", "--cache", emptyFolder("cache"), "--ignore-scripts"];
  run("npm", ["install", ...alone, "--no-audit", "--no-fund", "--loglevel=error", ...args]);
}

function checkFiles(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({
      file: path.relative(folder, file).split(path.sep).join("/"),
      bytes: statSync(file).size,
    }));
  const strangers = files.filter(({ file }) => !ALLOWED.test(file) || file.endsWith(".map"));
  if (strangers.length > 0)
    throw new Error(`Users do not need ${strangers.map(({ file }) => file).join(", ")}.`);
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const [largest] = files.toSorted((a, b) => b.bytes - a.bytes);
  const figures = `1 package, ${files.length} files, ${megabytes(total)} of at most ${megabytes(MOST_BYTES)}`;
  if (total > MOST_BYTES) throw new Error(`${figures}: that is too large.`);
  console.log(`${figures}; the largest is ${largest.file} with ${megabytes(largest.bytes)}.`);
}

/** In a project that has nothing else. */
function useLibrary(tarball) {
  const project = emptyFolder("app");
  npmInstall("--prefix", project, tarball);
  const code = "const { app, close } = createApp(); app.list().then(close);";
  const node = (...args) => execFileSync(process.execPath, args, { cwd: project, stdio: "inherit" });
  node("--input-type=module", "-e", `import { createApp } from "${name}"; ${code}`);
  node("--disable-warning=ExperimentalWarning", "-e", `const { createApp } = require("${name}"); ${code}`);
  writeFileSync(
    path.join(project, "app.mts"),
    `import { createApp } from "${name}";\nexport const names = (await createApp().app.list()).map(({ name }) => name);\n`,
  );
  const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
  const strict = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022", "--types", ""];
  node(tsc, ...strict, "--module", "nodenext", "app.mts");
}

function emptyFolder(title) {
  const folder = path.join(scratch, title);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
