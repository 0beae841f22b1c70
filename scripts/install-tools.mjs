// Installs packages that only checks need, once, below node_modules/.cache, so that the project does not depend on them.
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root, run } from "./bootstrap.mjs";

/** Installs exact versions unless they are there, and returns their folder. `flags` are more flags of npm. */
export function installTools(folder, versions, flags = []) {
  const prefix = path.join(root, "node_modules", ".cache", folder);
  const missing = Object.entries(versions).filter(
    ([name, version]) => installedVersion(prefix, name) !== version,
  );
  if (missing.length > 0) {
    mkdirSync(prefix, { recursive: true });
    const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
    // Some of them want a newer Node, and get one of their own.
    const options = ["--no-save", "--no-audit", "--no-fund", "--loglevel=error", "--engine-strict=false"];
    run("npm", ["install", "--prefix", prefix, ...options, ...flags, ...packages]);
  }
  return path.join(prefix, "node_modules");
}

function installedVersion(prefix, name) {
  const file = path.join(prefix, "node_modules", name, "package.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).version : undefined;
}
