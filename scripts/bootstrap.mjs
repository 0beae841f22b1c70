// Makes a fresh clone usable with nothing but Node and npm: installs when package-lock.json changed, builds when
// a source changed. Imports nothing that would have to be installed first.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const stampFile = path.join(root, "node_modules", ".cache", "skills-mcp-installed");

/** Installs the dependencies unless the lock file has not changed since. */
export function ensureInstalled() {
  const wanted = createHash("sha256")
    .update(readFileSync(path.join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === wanted) return;
  process.stderr.write("Installing dependencies (npm ci), once …\n");
  // No dependency needs an install script. `npm install -g .` would have its -g count here too.
  run("npm", ["ci", "--no-global", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]);
  mkdirSync(path.dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, wanted);
}

/** Builds dist/ unless it is newer than every source. */
export function ensureBuilt() {
  ensureInstalled();
  const built = path.join(root, "dist", "THIRD-PARTY-NOTICES.txt");
  const scripts = [
    "agents",
    "build",
    "build-web",
    "bundled-packages",
    "direct-imports",
    "generate-tools",
    "json-schemas",
  ].map((name) => `scripts/${name}.mjs`);
  const sources = [
    ...filesBelow("packages").filter((file) => !/^packages.[^/\\]+.test[/\\]/.test(file)),
    ...scripts,
    "package.json",
    "package-lock.json",
  ];
  const newest = Math.max(...sources.map((file) => statSync(path.join(root, file)).mtimeMs));
  if (existsSync(built) && statSync(built).mtimeMs > newest) return;
  process.stderr.write("Building …\n");
  // The output of whatever runs next is its own.
  run(process.execPath, ["scripts/build.mjs"], { stdio: ["inherit", process.stderr.fd, "inherit"] });
}

/** Runs a command in the project and ends with its exit code if it fails. */
export function run(command, args, options = {}) {
  const isNpm = process.platform === "win32" && command === "npm";
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    shell: isNpm,
    ...options,
  });
  if (error) process.stderr.write(`${command} could not be started: ${error.message}\n`);
  if (status !== 0) process.exit(status ?? 1);
}

function filesBelow(folder) {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(file) : [file];
  });
}
