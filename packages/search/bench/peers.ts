import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { LunrModule } from "./lunr.ts";
import type { MiniSearchClass } from "./minisearch.ts";
import type { SqliteModule } from "./sqlite-fts5.ts";

export interface Peers {
  readonly miniSearch: MiniSearchClass;
  readonly sqlite: SqliteModule;
  readonly lunr: LunrModule;
}

const PREFIX = path.resolve(
  path.dirname(fileURLToPath(import.meta.url)),
  "../../../node_modules/.cache/bench-peers",
);
const VERSIONS = { minisearch: "7.2.0", "node-sqlite3-wasm": "0.8.60", lunr: "2.3.9" } as const;

/** Installs the peers once: the project does not depend on them. Without a registry there are none. */
export function installPeers(): boolean {
  if (installed()) return true;
  mkdirSync(PREFIX, { recursive: true });
  const packages = Object.entries(VERSIONS).map(([name, version]) => `${name}@${version}`);
  const options = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  spawnSync("npm", ["install", "--prefix", PREFIX, ...options, ...packages], {
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  if (installed()) return true;
  console.log(`${packages.join(", ")} could not be installed: there is nothing to compare with.\n`);
  return false;
}

/** The peers as `installPeers` has left them. */
export function loadPeers(): Peers {
  const load = createRequire(path.join(PREFIX, "package.json"));
  return {
    miniSearch: load("minisearch") as MiniSearchClass,
    sqlite: load("node-sqlite3-wasm") as SqliteModule,
    lunr: load("lunr") as LunrModule,
  };
}

function installed(): boolean {
  return Object.entries(VERSIONS).every(([name, version]) => {
    const file = path.join(PREFIX, "node_modules", name, "package.json");
    return (
      existsSync(file) && (JSON.parse(readFileSync(file, "utf8")) as { version?: string }).version === version
    );
  });
}
