// Checks what users install: the files in the package, its entry points and its types, and that the packed bin runs.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ensureBuilt, root, run } from "./bootstrap.mjs";

ensureBuilt();
const scratch = mkdtempSync(path.join(tmpdir(), "skills-mcp-package-"));
try {
  run("npm", ["pack", "--ignore-scripts", "--loglevel=error", "--pack-destination", scratch]);
  const tarball = path.join(
    scratch,
    readdirSync(scratch).find((file) => file.endsWith(".tgz")),
  );
  const bin = (name) => path.join(root, "node_modules", ".bin", name);
  run(bin("publint"), ["--strict", tarball]);
  run(bin("attw"), [tarball, "--profile", "esm-only"]);

  const allowed =
    /^package\/(?:dist\/|examples\/|deploy\/|package\.json$|README\.md$|LICENSE$|CHANGELOG\.md$)/;
  const files = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" }).trim().split("\n");
  const strangers = files.filter((file) => !allowed.test(file));
  if (strangers.length > 0)
    throw new Error(`The package contains files that users do not need: ${strangers.join(", ")}`);

  const app = path.join(scratch, "app");
  run("npm", [
    "install",
    "--prefix",
    app,
    "--prefer-offline",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    tarball,
  ]);
  const installed = path.join(app, "node_modules", ".bin", "skills-mcp");
  const version = execFileSync(installed, ["--version"], { encoding: "utf8" }).trim();
  const code =
    'import { createApp } from "skills-mcp"; const { app, close } = createApp(); await app.snapshot(); close();';
  execFileSync(process.execPath, ["--input-type=module", "-e", code], { cwd: app, stdio: "inherit" });
  const installedBytes = sizeOf(path.join(app, "node_modules"));
  console.log(
    `skills-mcp ${version} runs: ${files.length} files, ${kib(statSync(tarball).size)} packed, ${kib(sizeOf(path.join(app, "node_modules", "skills-mcp")))} unpacked, ${kib(installedBytes)} with its dependencies.`,
  );
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => statSync(path.join(folder, name)))
    .reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
}

function kib(bytes) {
  return `${Math.round(bytes / 1024)} KiB`;
}
