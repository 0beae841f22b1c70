import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { PeerResult } from "../report/results.ts";
import { UNPUBLISHED } from "./peers.ts";

const HERE = path.dirname(fileURLToPath(import.meta.url));

/** Installs exactly what package.json pins, beside it, without running any script of a package. */
export function installPeers(): void {
  if (existsSync(path.join(HERE, "node_modules", ".package-lock.json"))) return;
  process.stderr.write("Installing the other servers, once …\n");
  const flags = ["--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = npm(["install", ...flags], "inherit");
  // What is missing then does not start, and the table says so.
  if (status !== 0) process.stderr.write("npm could not install all of them.\n");
}

/** One line for each server that cannot be had. */
export function unpublishedPeers(): readonly PeerResult[] {
  return UNPUBLISHED.map(({ name, packages }) => {
    const found = packages.filter((title) => npm(["view", title, "version"], "ignore").status === 0);
    const problem =
      found.length === 0
        ? `Not measured: the npm registry that was asked has no ${packages.join(" or ")}.`
        : `Not measured: npm has ${found.join(", ")}, but bench/peers/package.json pins no version of it.`;
    return { name, version: "", figures: [], problems: [problem] };
  });
}

/** Without what an outer `npm run` says, or it would work on the outer project. */
function npm(args: readonly string[], errors: "ignore" | "inherit"): { readonly status: number | null } {
  const environment = Object.entries(process.env).filter(([name]) => !name.toLowerCase().startsWith("npm_"));
  return spawnSync("npm", args, {
    cwd: HERE,
    env: Object.fromEntries(environment),
    stdio: ["ignore", "ignore", errors],
    shell: process.platform === "win32",
  });
}
